#!/usr/bin/env bash
# The tests of the language server, with a real client: pytest-lsp, counting columns in bytes and in UTF-16.
#
# What a fresh machine lacks is installed: Debian's python3-venv, and the client in a virtual environment below target/.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --quiet
BID="${CARGO_TARGET_DIR:-$PWD/target}/debug/bid"
export BID

place="${CARGO_TARGET_DIR:-$PWD/target}/editors"
if [ ! -x "$place/bin/pytest" ]; then
    if ! python3 -m venv "$place" 2> /dev/null; then
        rm -rf "$place"
        apt-get update -qq
        apt-get install -y -qq python3-venv > /dev/null
        python3 -m venv "$place"
    fi
    "$place/bin/pip" install --quiet 'pytest-lsp==1.0.*' 'pytest-asyncio==1.*'
fi
"$place/bin/pytest" -q -p no:cacheprovider editors/tests
