# SPDX-License-Identifier: Apache-2.0
"""The project's files, as every check of tidy sees them."""

import functools
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_OURS = ("LICENSE", "bench/results/")  # text that no author of the project writes by hand


class Project:
    """A folder with a project. Names are relative to the folder, with slashes; each file is read once."""

    def __init__(self, root=ROOT):
        self.root = pathlib.Path(root)
        self.texts = {}

    @functools.cached_property
    def files(self):
        """The files that git does not ignore; without git, all files outside of build folders."""
        command = ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        try:
            names = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.decode().split("\0")
        except (OSError, subprocess.SubprocessError):
            names = [path.relative_to(self.root).as_posix() for path in self.root.rglob("*")]
            names = [name for name in names if not name.startswith((".git/", "build/")) and "__pycache__" not in name]
        return sorted(name for name in set(names) if (self.root / name).is_file() and not name.startswith(NOT_OURS))

    def text(self, name):
        """A file's text, or None if it is not UTF-8."""
        if name not in self.texts:
            try:
                self.texts[name] = (self.root / name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                self.texts[name] = None
        return self.texts[name]

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")
        self.texts[name] = text
