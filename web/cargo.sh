#!/usr/bin/env bash
# cargo for browsers: `web/cargo.sh check --lib` is `cargo check --lib --target wasm32-unknown-unknown`.
#
# Where the target is installed (`rustup target add wasm32-unknown-unknown`), that is all. Elsewhere the standard library is built from its
# source: rustup's component `rust-src`, or Debian's package of the very same version, which is fetched into the target folder without
# touching the system's own lists. Where neither is to be had, a sentence says how to get it, and the status is 3.
set -euo pipefail
target=wasm32-unknown-unknown
here=$PWD
folder="${CARGO_TARGET_DIR:-$(cd "$(dirname "$0")/.." && pwd)/target}/rust-src"
version=$(rustc --version | cut -d' ' -f2)

# Whether the library's source is in a folder.
source_in() { [ -f "$1/std/Cargo.toml" ] && [ -f "$1/Cargo.lock" ]; }

# Fetches Debian's package of this version, from the first of the suites that has it.
fetch() {
    local site suite found keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    command -v apt-get > /dev/null && command -v dpkg-deb > /dev/null || return 1
    mkdir -p "$folder" && cd "$folder"
    site=$(apt-get indextargets --format '$(SITE)' 2> /dev/null | grep 'debian$') || return 1
    site=${site%%$'\n'*}
    for suite in trixie-backports sid forky trixie bookworm-backports; do
        # apt clears the folder of lists of what is none, so that the list of sources and the log stand beside it.
        local lists="$folder/apt/$suite" sources="$folder/apt/$suite.list" log="$folder/apt/$suite.log"
        local own=(-o "Dir::Etc::SourceList=$sources" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$lists"
            -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
        mkdir -p "$lists/partial"
        echo "deb [signed-by=$keyring] $site $suite main" > "$sources"
        apt-get "${own[@]}" update > "$log" 2>&1 || continue
        found=$(apt-cache "${own[@]}" madison rust-src | cut -d'|' -f2 | tr -d ' ' | grep "^$version[+~-]") || continue
        found=${found%%$'\n'*}
        apt-get "${own[@]}" download "rust-src=$found" > "$log" 2>&1 || continue
        dpkg-deb -x rust-src_*.deb . && cd "$here" && return
    done
    cd "$here" && return 1
}

if compgen -G "$(rustc --print target-libdir --target $target)/libstd-*.rlib" > /dev/null; then
    exec cargo "$@" --target $target
fi
library="$(rustc --print sysroot)/lib/rustlib/src/rust/library"
if ! source_in "$library"; then
    library="$folder/usr/src/rustc-$version/library"
    if ! source_in "$library" && ! fetch; then
        echo "the standard library for $target is missing: \`rustup target add $target\`, or \`rustup component add rust-src\`" >&2
        exit 3
    fi
fi
# Only nightly's cargo builds the library unasked; the variables are what its own tests set.
export __CARGO_TESTS_ONLY_SRC_ROOT="$library" RUSTC_BOOTSTRAP=1
exec cargo "$@" -Zbuild-std=std,panic_abort --target $target
