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


def merged(blocks):
    """Blocks of lines, those of each architecture in `blocks`. What is the same for all stands there once."""
    lines, different = "", {key: "" for key in blocks}
    for those in [*zip(*blocks.values()), ("",) * len(blocks)]:
        if len(set(those)) > 1:
            for key, block in zip(blocks, those):
                different[key] += block
            continue
        if any(different.values()):
            lines += by_architecture(different)
            different = {key: "" for key in blocks}
        lines += those[0]
    return lines


def wrapped(line, indent):
    """A line of C++, cut after commas if it is too long."""
    if len(line) <= WIDTH:
        return line
    parts = line.split(", ")
    blanks = len(line) - len(line.lstrip())
    return filled(" " * blanks, [f"{part.lstrip()}, " for part in parts[:-1]] + parts[-1:], indent)


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
