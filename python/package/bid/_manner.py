"""The keywords that every question takes, and the error about any other."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypedDict, TypeVar, Union, cast

Rules = Union[str, Mapping[str, Any]]
Progress = Union[bool, Callable[[str, int, Union[int, None]], object], None]


class Manner(TypedDict, total=False):
    """The keywords that every question takes."""

    rules: Rules | None
    timeout: float | None
    max_memory: float | str | None
    max_positions: float | None
    progress: Progress


MANNER = tuple(Manner.__annotations__)
"""Their names."""

F = TypeVar("F", bound=Callable[..., Any])


def unknown_keyword(function: str, name: str, known: Iterable[str]) -> TypeError:
    """The error about a keyword that a function does not take."""
    known = list(known)
    nearest = difflib.get_close_matches(name, known, 1)
    message = f"{function}() takes no keyword {name!r}"
    if nearest:
        message += f": did you mean {nearest[0]!r}?"
    else:
        message += f"; it takes {', '.join(key for key in known if key != 'names')}"
    if "names" in known:
        message += f" To give a name in the text a value, write names={{{name!r}: ...}}" if nearest else (
            f"; to give a name in the text a value, write names={{{name!r}: ...}}"
        )
    return TypeError(message)


def checked(function: F) -> F:
    """The function, which says what is meant instead of a keyword that it does not take. Its signature names the keywords of `Manner`."""
    signature = inspect.signature(function)
    parameters = [parameter for parameter in signature.parameters.values() if parameter.kind is not inspect.Parameter.VAR_KEYWORD]
    if len(parameters) < len(signature.parameters):
        for name, kind in Manner.__annotations__.items():
            kind = getattr(kind, "__forward_arg__", kind)
            parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind))
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    known = [parameter.name for parameter in parameters if parameter.kind in kinds and parameter.name != "self"]

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        for name in keywords:
            if name not in known:
                raise unknown_keyword(function.__name__, name, [key for key in known if key != "text"])
        return function(*arguments, **keywords)

    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return cast(F, call)
