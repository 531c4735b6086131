# SPDX-License-Identifier: Apache-2.0
"""Functions that the emitters share: the first lines of a file, comments, conditions on the architecture."""

import textwrap

WIDTH = 120
MACROS = {"x86-64": "__x86_64__", "arm64": "__aarch64__"}


def head(purpose, mark="//"):
    """The first lines of a generated file; `mark` begins a comment in its language."""
    license_line = f"{mark} SPDX-License-Identifier: Apache-2.0\n"
    origin = f"{mark} Generated from table/*.sys; do not edit. To regenerate: ./dev gen (tools/gen/main.py).\n"
    return license_line + origin + comment(purpose, mark=mark)


def comment(text, indent="", mark="//"):
    lines = textwrap.wrap(text, WIDTH - len(indent) - len(mark) - 1, break_on_hyphens=False)
    return "".join(f"{indent}{mark} {line}\n" for line in lines)


def by_architecture(bodies):
    """Lines under #if and #elif; `bodies` has those of each architecture."""
    text = ""
    for architecture, body in bodies.items():
        text += f"#{'elif' if text else 'if'} defined({MACROS[architecture]})\n{body}"
    return text + f'#else\n#error "genesys has the system calls of {" and ".join(bodies)} only"\n#endif\n'


def filled(begin, parts, indent):
    """`begin` followed by `parts`, in as few lines as possible; each line but the first is indented by `indent`."""
    lines = [begin]
    for part in parts:
        if indent + len(lines[-1].strip()) + len(part.rstrip()) > WIDTH - 2:
            lines.append(" " * indent)
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def signature(call):
    return f"{call.name}({', '.join(arg.name for arg in call.args)})"
