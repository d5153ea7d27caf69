#!/usr/bin/env bash
# Builds the page: `web/build.sh page` its bundle, which `bid serve` embeds and which is committed; `web/build.sh` also the playground,
# static files with the engine as wasm, into `web/dist`, which any host of files serves.
set -euo pipefail
cd "$(dirname "$0")"
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund > /dev/null
npx tsc --noEmit
node build.mjs
[ "${1:-}" = page ] && exit
node build.mjs dist
(cd .. && web/cargo.sh build --package bid-wasm --profile wasm)
target="${CARGO_TARGET_DIR:-../target}/wasm32-unknown-unknown/wasm"
cp "$target/bid_wasm.wasm" dist/bid.wasm
node - <<'JS'
const { readFileSync, readdirSync } = require("node:fs");
const { gzipSync } = require("node:zlib");
for (const name of readdirSync("dist")) {
    const bytes = readFileSync(`dist/${name}`);
    console.log(`dist/${name}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} by gzip`);
}
JS
