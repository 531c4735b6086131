# SPDX-License-Identifier: Apache-2.0
"""The pages (Markdown): their code, their links, and the length of their lines.

A reader does not see the target of a link, so only the visible part of a line counts. The row of a table is one line
of any length, so rows do not count at all.
"""

import re

COLUMNS_MAX = 120
BLANK = "\0"  # in place of a character to ignore

FENCE = re.compile(r"\s{0,3}(```|~~~)")
ITEM = re.compile(r"(\s*)([-*+]|\d+[.)])( +)")
SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:[^\n]|\n(?![ \t]*\n))*?)(?<!`)\1(?!`)")
LINK = re.compile(r'\[(?P<text>[^\[\]]*)\](?P<hidden>\(\s*(?P<target>[^\s()]*)(?:\s+"(?P<title>[^"]*)")?\s*\))')
# A word that would begin a list, a heading, a quotation or a row at the beginning of a line.
NO_BEGINNING = re.compile(r"([-+*]|\d+[.)])$|[#>|=]|---")


def is_page(name):
    return name.endswith(".md")


def blanked(text, ranges):
    """The text with these ranges blanked: as long as before, and with the same lines."""
    for start, end in ranges:
        text = text[:start] + re.sub(r"[^\n]", BLANK, text[start:end]) + text[end:]
    return text


def code_lines(lines):
    """For each line, whether it is code: fenced, or indented by four columns more than its list item."""
    is_code, fence, item, after_blank = [], None, 0, True
    for line in lines:
        found = FENCE.match(line)
        indent = len(line) - len(line.lstrip(" "))
        if fence or found:
            is_code.append(True)
            fence = found[1] if not fence else None if found and found[1] == fence else fence
        elif not line.strip():
            is_code.append(False)
        elif indent >= item + 4 and (after_blank or is_code[-1]):
            is_code.append(True)
        else:
            is_code.append(False)
            begins = ITEM.match(line)
            if begins:
                item = begins.end()
            elif indent < item and after_blank:
                item = 0
        after_blank = not line.strip()
    return is_code


def without_code(text):
    """The text with all code blanked."""
    lines = text.split("\n")
    is_code = code_lines(lines)
    plain = "\n".join(re.sub(".", BLANK, line) if code else line for line, code in zip(lines, is_code))
    return blanked(plain, [span.span() for span in SPAN.finditer(plain)])


def links(plain):
    return LINK.finditer(plain)


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def widths(text):
    """The number of visible columns of each line."""
    seen = blanked(text, [link.span("hidden") for link in links(without_code(text))])
    return [len(line) - line.count(BLANK) for line in seen.split("\n")]


def complaints(project, name):
    """Yields (line number, complaint) for one page."""
    text = project.text(name)
    if text is None or not is_page(name):
        return
    for number, (line, width) in enumerate(zip(text.split("\n"), widths(text)), 1):
        if width > COLUMNS_MAX and not line.lstrip().startswith("|"):
            yield number, f"{width} columns, more than {COLUMNS_MAX}: './dev tidy --fix-lines' refills the paragraph"


# --- Refilling.


def words(text):
    """(text, visible columns) of each word. Code and figures are one word, because a line may not break in them."""
    plain = without_code(text)
    hidden = [link.span("hidden") for link in links(plain)]
    together = hidden + [link.span() for link in links(plain) if re.match(r"\d", link["text"])]
    together += [span.span() for span in SPAN.finditer(text)]
    spaces = [space.span() for space in re.finditer(r"\s+", text)
              if not any(start <= space.start() < end for start, end in together)]
    seen = blanked(text, hidden)
    edges = [0, *(edge for space in spaces for edge in space), len(text)]
    for start, end in zip(edges[::2], edges[1::2]):
        if start < end:
            yield re.sub(r"\s+", " ", text[start:end]), len(seen[start:end].replace(BLANK, ""))


def refilled(lines):
    """A paragraph, or an item of a list, in lines of at most COLUMNS_MAX columns."""
    begins = ITEM.match(lines[0])
    first = begins[0] if begins else re.match(r" *", lines[0])[0]
    rest = re.match(r" *", lines[1])[0] if len(lines) > 1 else " " * len(first)
    result, line, width, gap = [], first, len(first), ""
    for word, seen in words("\n".join([lines[0][len(first):], *(line.strip() for line in lines[1:])])):
        if gap and width + len(gap) + seen > COLUMNS_MAX and not NO_BEGINNING.match(word):
            result.append(line)
            line, width, gap = rest, len(rest), ""
        line += gap + word
        width += len(gap) + seen
        gap = " "
    return [*result, line]


def blocks(text):
    """(first line, line after the last) of each paragraph, an item of a list being one; no code, headings or tables."""
    lines = text.split("\n")
    is_code = code_lines(lines)
    start = None
    for number, line in enumerate([*lines, ""]):
        ends = number == len(lines) or not line.strip() or is_code[number] or line.lstrip().startswith(("#", "|", "<"))
        if start is not None and (ends or ITEM.match(line)):
            yield start, number
            start = None
        if start is None and not ends:
            start = number


def fix(project):
    """Refills each paragraph of a page in which a line is too long."""
    for name in filter(is_page, project.files):
        text = project.text(name)
        lines, seen, done = text.split("\n"), widths(text), []
        at = 0
        for start, end in blocks(text):
            done += lines[at:start]
            is_long = max(seen[start:end]) > COLUMNS_MAX
            done += refilled(lines[start:end]) if is_long else lines[start:end]
            at = end
        done += lines[at:]
        if done != lines:
            project.write(name, "\n".join(done))
            print(f"{name}: refilled")
    return 0
