# SPDX-License-Identifier: Apache-2.0
"""Retired words: names that docs/glossary.md replaces by standard terms. retired.txt beside this file lists them.

The check looks for words in the parts of identifiers (hand_overs in 'queue_hand_overs_') and of the names of files
and folders. It ignores comments, strings and prose.
"""

import dataclasses
import fnmatch
import io
import pathlib
import re
import tokenize

LIST = pathlib.Path(__file__).with_name("retired.txt")

C_LIKE = (".h", ".cpp", ".cu", ".cuh", ".pml")
# Comments, and strings, whose content is no code. A raw string comes first, because quotes in it have no meaning.
C_NOT_CODE = re.compile(r'R"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\''
                        r"|//[^\n]*|/\*.*?\*/", re.DOTALL)
HASH_NOT_CODE = re.compile(r'"(?:\\.|[^"\\])*"|#[^\n]*')
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@dataclasses.dataclass
class Word:
    """A line of the list."""

    text: str
    parts: re.Pattern
    refused: list
    right_files: list
    right_parts: list
    instead: str

    def reaches(self, path):
        def has(globs):
            return any(fnmatch.fnmatchcase(path, glob) for glob in globs)

        return has(self.refused) and not has(self.right_files)

    def is_in(self, snake):
        for right in self.right_parts:
            snake = right.sub("", snake)
        return bool(self.parts.search(snake))


def of_parts(expression):
    """A pattern that matches whole parts of a name in snake_case."""
    return re.compile(rf"(?<![a-z])(?:{expression})(?![a-z])")


def items(text):
    return [item for item in re.split(r"[,\s]+", text) if item]


def read_list(path=LIST):
    """The list: word | where it is refused | where it is right | what to use. Raises ValueError for a wrong line."""
    words = []
    text = re.sub(r"\n[ ]+(?=\S)", lambda _: "\v", path.read_text(encoding="utf-8"))  # joins continued lines
    number = 0
    for line in text.split("\n"):
        number += 1 + line.count("\v")
        columns = [column.strip() for column in line.replace("\\|", "\0").split("|")]
        if not line.strip() or line.startswith("#"):
            continue
        if len(columns) != 4 or not columns[0] or not columns[1] or not columns[3]:
            raise ValueError(f"{path.name}:{number}: not 'word | refused in | right in | instead'")
        text = columns[0].replace("\0", "|")
        right = items(columns[2])
        globs = [item for item in right if set(item) & set("/.*")]
        try:
            parts = [of_parts(item) for item in right if item not in globs]
            words.append(Word(text, of_parts(text), items(columns[1]), globs, parts, columns[3]))
        except re.error as error:
            raise ValueError(f"{path.name}:{number}: '{text}': {error}") from None
    return words


def snake(name):
    """CamelCase as snake_case, in lower case."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def spaces(text):
    return re.sub(r"[^\n]", " ", text)


def identifiers(name, text):
    """(line number, identifier) of each identifier in the code of a file."""
    if name.endswith(".py") or text.startswith("#!/usr/bin/env python"):
        try:
            for token in tokenize.generate_tokens(io.StringIO(text).readline):
                if token.type == tokenize.NAME:
                    yield token.start[0], token.string
        except (tokenize.TokenError, SyntaxError):
            pass
        return
    if name.endswith(C_LIKE):
        code = C_NOT_CODE.sub(lambda found: spaces(found[0]), text)
    elif name.endswith((".cmake", ".sys")) or pathlib.PurePath(name).name == "CMakeLists.txt":
        code = HASH_NOT_CODE.sub(lambda found: spaces(found[0]), text)
    else:
        return
    for number, line in enumerate(code.split("\n"), 1):
        for found in IDENTIFIER.finditer(line):
            yield number, found[0]


def found_in(project, name, words):
    """(line number, word, identifier) of each retired word in a file; in its path the line is 1."""
    reaching = [word for word in words if word.reaches(name)]
    for part in name.split("/") if reaching else ():
        for word in reaching:
            if word.is_in(snake(part)):
                yield 1, word, part
    known = {}
    for number, identifier in identifiers(name, project.text(name) or "") if reaching else ():
        if identifier not in known:
            small = snake(identifier)
            known[identifier] = [word for word in reaching if word.is_in(small)]
        for word in known[identifier]:
            yield number, word, identifier


def complaints(project, name):
    """Yields (line number, complaint): each identifier of a file once, at its first use."""
    said = set()
    for number, word, identifier in found_in(project, name, read_list()):
        if (word.text, identifier) not in said:
            said.add((word.text, identifier))
            yield number, f"'{identifier}': '{word.text}' is retired, use {word.instead} (docs/glossary.md)"


def show(project, asked):
    """Prints the number of uses of each word, or the uses of one word."""
    words = read_list()
    if asked and asked not in [word.text for word in words]:
        print(f"tidy: '{asked}' is not in the list: {', '.join(word.text for word in words)}")
        return 2
    count = {word.text: 0 for word in words}
    files = {word.text: set() for word in words}
    for name in project.files:
        for number, word, identifier in found_in(project, name, words):
            count[word.text] += 1
            files[word.text].add(name)
            if word.text == asked:
                print(f"{name}:{number}: {identifier}")
    for word in words:
        if count[word.text] and asked in ("", word.text):
            print(f"{count[word.text]:6} in {len(files[word.text]):3} files  {word.text}  ->  {word.instead}")
    total = sum(count.values()) if not asked else count[asked]
    print(f"tidy: {total} uses of retired words")
    return 1 if total else 0
