"""The tree-sitter grammar: files of the repository, trees, colours, folds, and that its words are those of the program."""

import ctypes
import os
import re
import subprocess

import pytest
from tree_sitter import Language, Parser, Query, QueryCursor

from conftest import ROOT
from repository import files, is_readable, tokens

GRAMMAR = ROOT / "editors" / "tree-sitter-bid"

# What a capture is to a reader, by the words of `bid tokens`; the longest prefix counts.
CLASSES = {
    "comment": "comment",
    "string": "string",
    "number": "number",
    "keyword": "keyword",
    "constant.builtin": "constant",
    "operator": "symbol",
    "punctuation.delimiter": "symbol",
    "punctuation.bracket": "bracket",
    "variable": "name",
    "type": "name",
    "function": "name",
    "property": "name",
}


@pytest.fixture(scope="session")
def language(tmp_path_factory):
    library = tmp_path_factory.mktemp("parser") / "bid.so"
    source = GRAMMAR / "src"
    compiler = [os.environ.get("CC", "cc"), "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-shared", "-fPIC"]
    subprocess.run([*compiler, f"-I{source}", "-o", library, source / "parser.c", source / "scanner.c"], check=True)
    made = ctypes.CDLL(str(library)).tree_sitter_bid
    made.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return Language(capsule(made(), b"tree_sitter.Language", None))


def parse(language, text):
    return Parser(language).parse(text).root_node


def mistakes(node):
    """Where a tree has errors."""
    if node.type == "ERROR" or node.is_missing:
        return [node]
    return [found for child in node.children if node.has_error for found in mistakes(child)]


def test_every_file_that_the_program_reads_has_no_error_node(language):
    read = [file for file in files() if is_readable(file)]
    assert len(read) > 40
    for file in read:
        found = mistakes(parse(language, (ROOT / file).read_bytes()))
        assert not found, f"{file}:{found[0].start_point.row + 1}: {found[0].text[:60]}"


def painted(language, text):
    """The class of each byte, `None` for what has no colour; of several patterns the last one counts."""
    query = Query(language, (GRAMMAR / "queries" / "highlights.scm").read_text())
    classes = [None] * len(text)
    matched = QueryCursor(query).matches(parse(language, text))
    for _, captures in sorted(matched, key=lambda match: match[0]):
        for name, nodes in captures.items():
            prefix = max((known for known in CLASSES if name.startswith(known)), key=len)
            for node in nodes:
                classes[node.start_byte : node.end_byte] = [CLASSES[prefix]] * (node.end_byte - node.start_byte)
    return classes


def test_the_grammar_colours_what_the_repl_colours(language):
    wrong, compared = [], 0
    for file, told in tokens().items():
        if not is_readable(file):
            continue
        text = (ROOT / file).read_bytes()
        classes = painted(language, text)
        for start, end, name in told:
            compared += 1
            found = set(classes[start : end - text[start:end].endswith(b"\r")])
            if found != {name} and (name, found) != ("name", {None}):
                line = text.count(b"\n", 0, start) + 1
                wrong.append(f"{file}:{line}: {text[start:end].decode()} is {name} in the REPL and {found} here")
    assert wrong[:20] == []
    assert compared > 10_000


def corpus():
    """The cases of test/corpus, in the form of `tree-sitter test`: name, text, tree."""
    for path in sorted((GRAMMAR / "test" / "corpus").glob("*.txt")):
        parts = re.split(r"^=+\n(.+)\n=+\n", path.read_text(), flags=re.MULTILINE)
        for name, case in zip(parts[1::2], parts[2::2]):
            text, tree = re.split(r"^---+\n", case, maxsplit=1, flags=re.MULTILINE)
            yield pytest.param(text.removesuffix("\n"), tree, id=f"{path.stem}: {name}")


@pytest.mark.parametrize("text, tree", list(corpus()))
def test_the_corpus(language, text, tree):
    found = re.sub(r"\s+", " ", str(parse(language, text.encode())))
    wanted = re.sub(r"\s+\)", ")", re.sub(r"\s+", " ", tree)).strip()
    assert found == wanted


def test_what_is_half_typed_hides_little(language):
    text = b"let a = 1\nshow f(a,\nlet b = [1, 2]\ngame g { state n = }\nlet c = 3\n"
    root = parse(language, text)
    query = Query(language, "(definition name: (identifier) @name)")
    names = {node.text for node in QueryCursor(query).captures(root)["name"]}
    assert root.has_error and {b"a", b"c"} <= names


def test_the_queries_of_zed_are_read(language):
    ours = ROOT / "editors" / "zed" / "languages" / "bid"
    for query in ours.glob("*.scm"):
        Query(language, query.read_text())
    assert (ours / "highlights.scm").read_text() == (GRAMMAR / "queries" / "highlights.scm").read_text()


def test_folds_and_indents(language):
    text = b'test "t" {\n    show 1\n}\ngame g = graph {\n    start 0\n}\n'
    for kind, capture in [("folds", "fold"), ("indents", "indent.begin")]:
        query = Query(language, (GRAMMAR / "queries" / f"{kind}.scm").read_text())
        found = QueryCursor(query).captures(parse(language, text))[capture]
        assert sorted((node.start_point.row, node.end_point.row) for node in found) == [(0, 2), (3, 5)]
