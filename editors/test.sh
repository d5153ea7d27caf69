#!/usr/bin/env bash
# The tests of the language server, with a real client: pytest-lsp, counting columns in bytes and in UTF-16.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --quiet
BID="${CARGO_TARGET_DIR:-$PWD/target}/debug/bid"
export BID

place="${CARGO_TARGET_DIR:-$PWD/target}/editors"
if [ ! -x "$place/bin/pytest" ]; then
    python3 -m venv "$place"
    "$place/bin/pip" install --quiet 'pytest-lsp==1.0.*' 'pytest-asyncio==1.*'
fi
"$place/bin/pytest" -q -p no:cacheprovider editors/tests
