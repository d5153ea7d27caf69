"""A plain client of the language server: one message after the other, with nothing between the test and the wire."""

import json
import subprocess

from conftest import BID, ROOT


class Client:
    """A server with one document at a time."""

    def __init__(self, evaluate=False, root=ROOT):
        self.process = subprocess.Popen([BID, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root)
        self.asked = 0
        self.version = 0
        #: What was last said to be wrong, by document.
        self.marks = {}
        #: The version that each document had then.
        self.versions = {}
        general = {"positionEncodings": ["utf-16"]}
        options = {"evaluate": evaluate}
        params = {"capabilities": {"general": general}, "rootUri": root.as_uri(), "initializationOptions": options}
        self.about = self.request("initialize", {"processId": None, **params})
        self.notify("initialized", {})

    def close(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=10)

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        """The next message; what it says of mistakes is kept."""
        length = None
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        assert length is not None, f"the server has gone: status {self.process.poll()}"
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.marks[params["uri"]] = params["diagnostics"]
            self.versions[params["uri"]] = params.get("version")
        return message

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.asked += 1
        self.send({"id": self.asked, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.asked and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def open(self, uri, text):
        """Opens a document and waits for what is wrong with it."""
        self.version += 1
        document = {"uri": uri, "languageId": "bid", "version": self.version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return self.wait(uri)

    def change(self, uri, edits):
        """Makes edits one after the other: where they start and end in line and column, what comes there."""
        self.version += 1
        changes = [{"range": {"start": at(start), "end": at(end)}, "text": text} for start, end, text in edits]
        document = {"uri": uri, "version": self.version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def wait(self, uri):
        """Waits for what is wrong with a document as it is now; for a change that makes a difference."""
        while self.versions.get(uri) != self.version:
            self.read()
        return self.marks[uri]

    def settle(self, uri):
        """What is wrong with a document as it is now, also if that is the same as before.

        The server looks for mistakes once nothing more waits. On a busy machine the next question may come before it has
        seen that, so several are asked, each after the answer to the one before.
        """
        for _ in range(6):
            self.request("textDocument/foldingRange", {"textDocument": {"uri": uri}})
        return self.marks.get(uri, [])

    def forget(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.versions.pop(uri, None)


def at(place):
    return {"line": place[0], "character": place[1]}


def utf16(text):
    """How many columns a text has."""
    return len(text.encode("utf-16-le")) // 2


def place(text, index):
    """The line and the column of a place in a text."""
    line = text.count("\n", 0, index)
    return line, utf16(text[text.rfind("\n", 0, index) + 1 : index])
