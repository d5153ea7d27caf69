#!/usr/bin/env bash
# Builds the site in docs/book: the pages by mdBook, with links to the playground under their examples, and the playground.
set -euo pipefail
cd "$(dirname "$0")"
mdbook build
../web/build.sh
cp -r ../web/dist book/playground
