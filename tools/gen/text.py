# SPDX-License-Identifier: Apache-2.0
"""What the emitters share: the head of a generated file, comments, and a choice by architecture."""

import textwrap

WIDTH = 120
MACROS = {"x86-64": "__x86_64__", "arm64": "__aarch64__"}


def head(purpose, mark="//"):
    """The first lines of a generated file; `mark` begins a comment in its language."""
    return f"{mark} SPDX-License-Identifier: Apache-2.0\n" + comment(
        f"Generated from table/*.sys by tools/gen/main.py; not to be edited. {purpose}", mark=mark
    )


def comment(text, indent="", mark="//"):
    lines = textwrap.wrap(text, WIDTH - len(indent) - len(mark) - 1, break_on_hyphens=False)
    return "".join(f"{indent}{mark} {line}\n" for line in lines)


def by_architecture(bodies):
    """`bodies`: the lines for each architecture."""
    text = ""
    for architecture, body in bodies.items():
        text += f"#{'elif' if text else 'if'} defined({MACROS[architecture]})\n{body}"
    return text + f'#else\n#error "genesys knows the system calls of {" and ".join(bodies)} only"\n#endif\n'


def filled(begin, parts, indent):
    """`parts` behind `begin`, in as few lines as they take; each line but the first begins with so many blanks."""
    lines = [begin]
    for part in parts:
        if indent + len(lines[-1].strip()) + len(part.rstrip()) > WIDTH - 2:
            lines.append(" " * indent)
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def signature(call):
    return f"{call.name}({', '.join(arg.name for arg in call.args)})"
