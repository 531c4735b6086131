# SPDX-License-Identifier: Apache-2.0
"""Cuts a table file into entries, and entries into tokens with line numbers. Used by read_table.py only.

An entry begins at the start of a line. Lines that begin with a blank continue it. `#` starts a comment.
"""

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<blank>[ \t]+|\#.*)
      | (?P<header><[\w./-]+>)
      | (?P<text>"[^"]*")
      | (?P<number>0x[0-9a-fA-F]+|-?\d+)
      | (?P<word>[A-Za-z_]\w*(?:(?:-|\$|::)\w+)*)
      | (?P<mark>->|[()\[\],:?=*+@.])""",
    re.VERBOSE,
)


class TableError(Exception):
    """A wrong line: its place, and what the table reader expected there."""

    def __init__(self, file, line, message):
        super().__init__(f"{file}:{line}: {message}")


@dataclass(frozen=True)
class Token:
    kind: str  # word, number, text, header or mark; end: after the last token; unknown: no token matches
    value: str
    line: int

    def __str__(self):
        return "the end of the entry" if self.kind == "end" else f"'{self.value}'"


class Entry:
    """The tokens of one entry, which the reader takes from left to right."""

    def __init__(self, file, line):
        self.file = file
        self.line = line
        self.tokens = []
        self._next = 0

    def fail(self, message, token=None):
        raise TableError(self.file, token.line if token else self.line, message)

    def peek(self):
        if self._next < len(self.tokens):
            return self.tokens[self._next]
        return Token("end", "", self.tokens[-1].line)

    def take(self, kind, expected):
        """Takes the next token, which must be of this kind. `expected` describes it for the message."""
        token = self.peek()
        if token.kind != kind:
            self.fail(f"unexpected {token}; expected {expected}", token)
        self._next += 1
        return token

    def take_if(self, value):
        """Takes the next token if it is the word or mark `value`."""
        token = self.peek()
        if token.kind not in ("word", "mark") or token.value != value:
            return False
        self._next += 1
        return True

    def need(self, value):
        token = self.peek()
        if not self.take_if(value):
            self.fail(f"unexpected {token}; expected '{value}'", token)


def read_entries(file, text):
    entries = []
    for line, content in enumerate(text.splitlines(), start=1):
        tokens = _cut(content, line)
        if not tokens:
            continue
        continues = content[0] in " \t"
        if continues and not entries:
            raise TableError(file, line, "unexpected blank; expected an entry to begin at the start of a line")
        if not continues:
            entries.append(Entry(file, line))
        entries[-1].tokens += tokens
    return entries


def _cut(content, line):
    tokens, at = [], 0
    while at < len(content):
        match = _TOKEN.match(content, at)
        if not match:
            return tokens + [Token("unknown", content[at:].rstrip(), line)]
        at = match.end()
        if match.lastgroup != "blank":
            tokens.append(Token(match.lastgroup, match.group(), line))
    return tokens
