#!/usr/bin/env bash
# The tests for editors: the language server, asked by real clients (pytest-lsp, Neovim, one that types at random), and the grammars, which
# must read every file of the language and colour what the REPL colours.
#
#     editors/test.sh               all of it
#     BID_EDITS=10000 editors/test.sh   with so many random edits in each file of games/ (30 if nothing is said); BID_SEED=N other ones
#     BID=target/release/bid editors/test.sh   with this program, which is not built
#
# What a fresh machine lacks is installed: Debian's python3-venv and neovim, and what comes from PyPI and npm below target/ and node_modules.
set -euo pipefail
cd "$(dirname "$0")/.."

target="${CARGO_TARGET_DIR:-$PWD/target}"
if [ -z "${BID:-}" ]; then
    cargo build --quiet
    BID="$target/debug/bid"
fi
BID="$(realpath "$BID")"
export BID

installs() { # PACKAGE: from Debian, where that is allowed
    [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null && apt-get update -qq && apt-get install -y -qq "$1" > /dev/null
}

# The parser of the tree-sitter grammar is what its grammar.js makes.
cargo run --quiet --manifest-path editors/tree-sitter-generate/Cargo.toml --target-dir "$target/tree-sitter-generate" -- editors/tree-sitter-bid
if [ -n "$(git status --porcelain -- editors/tree-sitter-bid/src)" ]; then
    git diff --stat -- editors/tree-sitter-bid/src >&2
    echo "editors/tree-sitter-bid/src is not what grammar.js makes: commit what this script has written there" >&2
    exit 1
fi

# The extension of Zed; to WebAssembly it is compiled by Zed.
cargo check --quiet --locked --manifest-path editors/zed/Cargo.toml --target-dir "$target/zed"

# The grammar and the extension of VS Code.
if command -v npm > /dev/null; then
    (
        cd editors/vscode
        [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts > /dev/null
        npm run --silent vsix
        node --test --test-force-exit --test-reporter=spec test/
    )
else
    echo "skipped: the extension for VS Code is not tested, as there is no npm here"
fi

place="$target/editors"
if [ ! -x "$place/bin/python" ]; then
    if ! python3 -m venv "$place" 2> /dev/null; then
        rm -rf "$place"
        installs python3-venv
        python3 -m venv "$place"
    fi
fi
"$place/bin/pip" install --quiet --disable-pip-version-check \
    'pytest-lsp==1.0.*' 'pytest-asyncio==1.*' 'tree-sitter==0.25.*' 'pynvim==0.6.*'
command -v nvim > /dev/null || installs neovim || echo "skipped: Neovim does not open a file, as it is neither here nor can be installed"
"$place/bin/pytest" -q -p no:cacheprovider editors/tests
