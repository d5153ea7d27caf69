"""Every query of the language that asks a game, as a method: made from the builtins' table, with the language's help as its docstring.

`_queries.pyi` says the same to type checkers; `python -m bid._stubs` writes it.
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Mapping
from typing import Any

from ._bid import builtins
from ._manner import MANNER, unknown_keyword


class Queries:
    """The queries of the language, for a class with a `session`."""

    __slots__ = ()
    session: Any


def document(entry: Mapping[str, Any]) -> str:
    """The docstring of a query: the language's help with its examples."""
    parts = [f"{entry['heading']}\n\n{entry['help']}"]
    if "As a list:" in entry["help"]:
        parts.append('The list is that of the language: `eval("L[0]", names={"L": answer})`. In Python the elements of an answer are those of its class.')
    for expression, printed in entry["examples"]:
        shown = "\n".join(line if line.strip() else "<BLANKLINE>" for line in printed.split("\n"))
        is_run = entry["name"] != "play"
        parts.append(f">>> print(bid.text(bid.eval({expression!r})))\n{shown}" if is_run else f"    {expression}")
    return "\n\n".join(parts)


def safe(name: str) -> str:
    """A parameter's name in Python."""
    name = name if name.isidentifier() else "x"
    return name + "_" if keyword.iskeyword(name) or name == "self" else name


def signature(entry: Mapping[str, Any]) -> inspect.Signature:
    """The signature of a query as a method of a game, which is its first argument."""
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    for place, (name, _) in enumerate(entry["parameters"][1:], start=1):
        default = inspect.Parameter.empty if place < entry["required"] else None
        parameters.append(inspect.Parameter(safe(name), inspect.Parameter.POSITIONAL_ONLY, default=default))
    if entry["variadic"]:
        parameters.append(inspect.Parameter("more", inspect.Parameter.VAR_POSITIONAL))
    for name, _ in entry["named"]:
        parameters.append(inspect.Parameter(safe(name), inspect.Parameter.KEYWORD_ONLY, default=None))
    named = {safe(name) for name, _ in entry["named"]}
    for name in MANNER:
        if name not in named:
            parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None))
    return inspect.Signature(parameters)


def method(entry: Mapping[str, Any]) -> Callable[..., Any]:
    """The method that asks a query."""
    name = entry["name"]
    named = {safe(parameter): parameter for parameter, _ in entry["named"]}
    known = [*named, *(key for key in MANNER if key not in named)]

    def ask(self: Queries, *arguments: Any, **keywords: Any) -> Any:
        for key in keywords:
            if key not in known:
                raise unknown_keyword(name, key, known)
        manner = {key: keywords.pop(key) for key in MANNER if key in keywords and key not in named}
        given = {named.get(key, key): value for key, value in keywords.items() if value is not None}
        return self.session._ask("builtin", name, (self, *arguments), given, manner)

    ask.__name__ = name
    ask.__qualname__ = f"Queries.{name}"
    ask.__module__ = __name__
    ask.__doc__ = document(entry)
    ask.__signature__ = signature(entry)  # type: ignore[attr-defined]
    return ask


QUERIES: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in builtins() if entry["asks_a_game"]}

for _entry in QUERIES.values():
    setattr(Queries, _entry["name"], method(_entry))
