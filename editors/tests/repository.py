"""The files of the language in the repository, and what the program says of them."""

import subprocess

from conftest import BID, ROOT


def files():
    """Every `.bid` file, by its path below the root."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.bid"]
    return subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()


def is_readable(file):
    """Whether its syntax is right: the formatter reads it."""
    return subprocess.run([BID, "fmt", "--check", file], cwd=ROOT, capture_output=True).returncode in (0, 1)


def tokens():
    """For each file, what the REPL colours: first byte, one past the last byte, class."""
    said = subprocess.run([BID, "tokens", *files()], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found = {}
    for line in said.splitlines():
        if line.startswith("FILE "):
            of_file = found.setdefault(line.removeprefix("FILE "), [])
        else:
            start, end, name = line.split()
            of_file.append((int(start), int(end), name))
    return found
