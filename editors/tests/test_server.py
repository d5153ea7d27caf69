"""The language server, asked by clients that count columns in bytes and in UTF-16."""

import asyncio

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from conftest import BID, ROOT

TEXT = """use "games/classics.bid"
let half = 1/2
let s = ["𝔸∧", half, unknwn]
game nim(a) {
    state heap = a
    state last = alice
    move take(k) for k in 1..3 if k ≤ heap {
        heap -= k
        last = me
    }
    win me if heap == 0 and last == me
}
show R(tictactoe)
test "t" {
    show f(E, 0..3)
    check half == 1/4
}
show 2 half
"""


def place(text, part, nth=0):
    """The line and the column in characters where a part of the text begins."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(part, at + 1)
    line = text.count("\n", 0, at)
    return line, text[text.rfind("\n", 0, at) + 1 : at]


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[BID, "lsp"]), params=["utf-8", "utf-16"])
async def client(request, lsp_client: LanguageClient):
    @lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def registered(*_):
        return None

    @lsp_client.feature(lsp.WORKSPACE_INLAY_HINT_REFRESH)
    def refreshed(*_):
        return None

    name = "visual_studio_code" if request.param == "utf-16" else "neovim"
    capabilities = client_capabilities(name)
    capabilities.general = capabilities.general or lsp.GeneralClientCapabilities()
    capabilities.general.position_encodings = [request.param]
    session = await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=capabilities, root_uri=ROOT.as_uri(), workspace_folders=[])
    )
    assert session.capabilities.position_encoding == request.param
    lsp_client.encoding = request.param
    yield
    await lsp_client.shutdown_session()


def position(client, part, nth=0, after=False):
    line, before = place(TEXT, part, nth)
    before += part if after else ""
    width = len(before.encode("utf-8")) if client.encoding == "utf-8" else len(before.encode("utf-16-le")) // 2
    return lsp.Position(line, width)


async def opened(client, tmp_path, text=TEXT):
    uri = (tmp_path / "main.bid").as_uri()
    client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri=uri, language_id="bid", version=1, text=text))
    )
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return uri


def document(uri):
    return lsp.TextDocumentIdentifier(uri)


async def test_diagnostics_stand_at_the_right_column(client, tmp_path):
    uri = await opened(client, tmp_path)
    found = {mark.code: mark for mark in client.diagnostics[uri]}
    assert set(found) >= {"E0101", "E0201"}
    assert found["E0201"].range.start == position(client, "unknwn")
    assert found["E0201"].range.end == position(client, "unknwn", after=True)


async def test_a_document_that_is_opened_again_is_marked_again(client, tmp_path):
    uri = await opened(client, tmp_path)
    first = client.diagnostics[uri]
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(document(uri)))
    client.diagnostics.clear()
    await opened(client, tmp_path)
    while not client.diagnostics.get(uri):
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert [mark.code for mark in client.diagnostics[uri]] == [mark.code for mark in first]


async def test_typing_mends_and_breaks(client, tmp_path):
    uri = await opened(client, tmp_path)
    start, end = position(client, "unknwn"), position(client, "unknwn", after=True)
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            text_document=lsp.VersionedTextDocumentIdentifier(version=2, uri=uri),
            content_changes=[lsp.TextDocumentContentChangePartial(range=lsp.Range(start, end), text="half")],
        )
    )
    while any(mark.code == "E0201" for mark in client.diagnostics[uri]):
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)


async def test_checks_that_fail_are_marked_and_values_shown(client, tmp_path):
    uri = await opened(client, tmp_path)
    while not any(mark.code == "E0703" for mark in client.diagnostics[uri]):
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    failed = next(mark for mark in client.diagnostics[uri] if mark.code == "E0703")
    assert failed.range.start.line == position(client, "check half").line
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(document(uri), whole))
    labels = {hint.position.line: hint.label for hint in hints}
    assert labels[position(client, "show R").line] == "= 133/256"


async def test_hover_completion_and_signatures(client, tmp_path):
    uri = await opened(client, tmp_path)
    hover = await client.text_document_hover_async(
        lsp.HoverParams(document(uri), position(client, "half", nth=1))
    )
    assert "let half = 1/2" in hover.contents.value
    found = await client.text_document_completion_async(
        lsp.CompletionParams(document(uri), position(client, "R(tic", after=True))
    )
    assert [item.label for item in found.items] == ["tictactoe"]
    help = await client.text_document_signature_help_async(
        lsp.SignatureHelpParams(document(uri), position(client, "f(E, ", after=True))
    )
    assert help.signatures[0].label.startswith("f(G") and help.active_parameter == 1


async def test_rename_reaches_every_use(client, tmp_path):
    uri = await opened(client, tmp_path)
    edit = await client.text_document_rename_async(
        lsp.RenameParams(document(uri), position(client, "half", nth=1), "third")
    )
    starts = [change.range.start for change in edit.changes[uri]]
    assert starts == [position(client, "half", nth) for nth in range(3)]
    with pytest.raises(Exception, match="cannot be a name"):
        await client.text_document_rename_async(
            lsp.RenameParams(document(uri), position(client, "half"), "game")
        )
    with pytest.raises(Exception, match="`s` is a name already: it is declared in line 3"):
        await client.text_document_rename_async(
            lsp.RenameParams(document(uri), position(client, "half"), "s")
        )
    with pytest.raises(Exception, match="defined in these files"):
        await client.text_document_rename_async(lsp.RenameParams(document(uri), position(client, "R("), "S"))


async def test_fixes_come_from_the_help(client, tmp_path):
    uri = await opened(client, tmp_path)
    at = position(client, "half", nth=3)
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(document(uri), lsp.Range(at, at), lsp.CodeActionContext([]))
    )
    [action] = [action for action in actions if action.title == "multiply them"]
    [edit] = action.edit.changes[uri]
    assert edit.new_text == " * " and edit.range.end == at


async def test_a_test_is_run_and_its_snapshot_accepted(client, tmp_path):
    text = 'test "one" { show f(E, 0..3) }\n'
    uri = await opened(client, tmp_path, text)
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(document(uri)))
    assert [lens.command.title for lens in lenses] == ["run test", "accept snapshot"]
    for lens, passed in [(lenses[0], False), (lenses[1], True), (lenses[0], True)]:
        result = await client.workspace_execute_command_async(
            lsp.ExecuteCommandParams(lens.command.command, lens.command.arguments)
        )
        assert result["passed"] == passed, result
    assert "0*" in (tmp_path / "snapshots" / "main@one.snap").read_text()


async def test_formatting_touches_only_what_changes(client, tmp_path):
    uri = await opened(client, tmp_path, "let a = 1\nshow   a\nlet b = 2\n")
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document(uri), lsp.FormattingOptions(tab_size=4, insert_spaces=True))
    )
    assert [(edit.range.start.line, edit.new_text) for edit in edits] == [(1, "show a\n")]


async def fixes_at(client, uri, line, column):
    at = lsp.Position(line, column)
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(document(uri), lsp.Range(at, at), lsp.CodeActionContext([]))
    )
    return {action.title: action.edit.changes[uri] for action in actions}


async def test_a_dead_end_gets_an_edge(client, tmp_path):
    uri = await opened(client, tmp_path, "game g = graph {\n    start 0\n    both 0 -> 1\n}\nshow R(g)\n")
    while not any(mark.code == "W0402" for mark in client.diagnostics[uri]):
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    mark = next(mark for mark in client.diagnostics[uri] if mark.code == "W0402")
    fixes = await fixes_at(client, uri, mark.range.start.line, mark.range.start.character)
    assert set(fixes) == {"add `draw: 1`", "add `both 1 -> 0`"}
    [edit] = fixes["add `both 1 -> 0`"]
    assert edit.new_text == "\n    both 1 -> 0"
    assert edit.range == lsp.Range(lsp.Position(1, 11), lsp.Position(1, 11))


async def test_a_family_gets_its_arguments(client, tmp_path):
    uri = await opened(client, tmp_path, "game hill(n) = A^n\nshow R(hill)\n")
    fixes = await fixes_at(client, uri, 1, 8)
    [edit] = fixes["write `hill(n)`"]
    assert edit.range == lsp.Range(lsp.Position(1, 7), lsp.Position(1, 11))


async def test_hover_tells_the_value_of_a_constant_of_another_file(client, tmp_path):
    (tmp_path / "other.bid").write_text("/// Two thirds.\nlet most = 1/3 + 1/3\n")
    uri = await opened(client, tmp_path, 'use "other.bid"\nshow most\n')
    hover = await client.text_document_hover_async(lsp.HoverParams(document(uri), lsp.Position(1, 6)))
    assert "Two thirds." in hover.contents.value and "2/3" in hover.contents.value


async def test_what_running_finds_again_is_marked_once(client, tmp_path):
    uri = await opened(client, tmp_path, "let half = 1/2\nshow hafl\nshow half\n")
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
    while not await client.text_document_inlay_hint_async(lsp.InlayHintParams(document(uri), whole)):
        await asyncio.sleep(0.05)
    assert [mark.code for mark in client.diagnostics[uri]] == ["E0201"]


async def test_rename_captures_nothing(client, tmp_path):
    uri = await opened(client, tmp_path, "let n = 5\nshow [n + k for k in 1..3]\n")
    at = lsp.Position(0, 4)
    with pytest.raises(Exception, match="`k` is a name already"):
        await client.text_document_rename_async(lsp.RenameParams(document(uri), at, "k"))
    edit = await client.text_document_rename_async(lsp.RenameParams(document(uri), at, "m"))
    assert len(edit.changes[uri]) == 2


async def test_what_is_stopped_is_marked(client, tmp_path):
    text = 'use "games/classics.bid"\nlet long = R(connect(4, 5, 6))\ncheck 1 == 1\ncheck long == 1/2\n'
    text += 'test "t" {\n    show long\n}\n'
    uri = await opened(client, tmp_path, text)
    while len(client.diagnostics[uri]) < 2:
        await asyncio.wait_for(client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS), 120)
    marks = {mark.range.start.line: mark for mark in client.diagnostics[uri]}
    assert set(marks) == {3, 4}
    assert marks[3].message.startswith("it is not known whether this holds: stopped")
    assert marks[4].message.startswith("it is not known whether this test passes: stopped")
    for mark in marks.values():
        assert mark.code == "E0903" and mark.severity == lsp.DiagnosticSeverity.Information
        assert "limitMilliseconds" in mark.message


async def completed(client, uri, line, column, typed=None):
    context = lsp.CompletionContext(lsp.CompletionTriggerKind.Invoked)
    if typed:
        context = lsp.CompletionContext(lsp.CompletionTriggerKind.TriggerCharacter, typed)
    found = await client.text_document_completion_async(
        lsp.CompletionParams(document(uri), lsp.Position(line, column), context=context)
    )
    return [item.label for item in found.items]


async def test_a_slash_offers_paths_alone(client, tmp_path):
    uri = await opened(client, tmp_path, 'use "games/"\n/\n//\nshow 1 /\nshow 1 / \n')
    assert "games/classics.bid" in await completed(client, uri, 0, 11, "/")
    for line, column in [(1, 1), (2, 1), (2, 2), (3, 8)]:
        assert await completed(client, uri, line, column, "/") == []
    assert await completed(client, uri, 2, 2) == []
    assert "half" not in await completed(client, uri, 4, 9) != []
