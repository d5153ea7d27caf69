"""A preprocessor of mdBook: under each example of a page a link to the playground with that program.

book.toml names it; `web/build.sh` makes the playground, which the site has in the folder `playground`.
"""

import base64
import json
import re
import sys
import zlib

FENCED = re.compile(r"^```(bid|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^ {4}.*\n)+", re.MULTILINE)


def link(program: str, root: str) -> str:
    """The link that the page's *Link* would make: the program, deflated, in letters that addresses may have."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(program.encode()) + packer.flush()
    letters = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"<small>[Open in the playground]({root}playground/index.html#p={letters})</small>"


def typed(dialogue: str) -> str:
    """What the user typed in a dialogue with the program; empty if there is a command that only the terminal has."""
    lines = [line.removeprefix("bid> ") for line in dialogue.splitlines() if line.startswith("bid> ")]
    return "" if any(line.startswith(":") for line in lines) else "".join(f"{line}\n" for line in lines)


def expression(example: str) -> str:
    """The program of an example of the functions page: `EXPRESSION = VALUE`, or the value on the lines below it."""
    lines = [line.removeprefix("    ") for line in example.rstrip().splitlines()]
    program: list[str] = []
    while lines and (not program or program[-1].startswith("use ") or is_open("".join(program))):
        program.append(lines.pop(0))
    if not lines:
        program[-1] = program[-1].rpartition(" = ")[0]
    return "".join(f"{line}\n" for line in program)


def is_open(text: str) -> bool:
    """Whether a bracket is open at the end."""
    return any(text.count(left) > text.count(right) for left, right in ("()", "[]", "{}"))


def with_links(chapter: dict) -> str:
    """A chapter's text with a link below each example."""
    path, content = chapter.get("path") or "", chapter["content"]
    root = "../" * path.count("/")

    def fenced(block: re.Match[str]) -> str:
        program = block[2] if block[1] == "bid" else typed(block[2])
        return f"{block[0]}\n\n{link(program, root)}" if program else block[0]

    def indented(block: re.Match[str]) -> str:
        return f"{block[0]}\n{link(expression(block[0]), root)}\n"

    if path == "functions.md":
        return INDENTED.sub(indented, content)
    return FENCED.sub(fenced, content)


def add_links(items: list) -> None:
    """Adds the links to all chapters, whatever they lie in."""
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            chapter = item["Chapter"]
            chapter["content"] = with_links(chapter)
            add_links(chapter["sub_items"])


def main() -> None:
    if sys.argv[1:2] == ["supports"]:
        sys.exit(0 if sys.argv[2:] == ["html"] else 1)
    _, book = json.load(sys.stdin)
    add_links(book.get("sections") or book.get("items") or [])
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
