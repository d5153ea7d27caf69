#!/usr/bin/env bash
# Makes the files of a release, ready for whoever has the accounts: `release/build.sh [FOLDER]`, by default target/release-VERSION.
#
#   bid-VERSION-TARGET.tar.gz      the program, its manual pages, completions, library of games and licence
#   bid_games-VERSION-….whl        the Python package; for every Linux since 2014 where zig can be had from PyPI
#   bid-VERSION-playground.tar.gz  the playground: static files for any host
#   SHA256SUMS                     the checksums of these
#
# Archives of the same sources by the same tools are the same bytes. A part that this machine cannot make is named at the end, and the
# status is then 3.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
triple=$(rustc --version --verbose | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-$PWD/target}
folder=${1:-$target/release-$version}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
rm -f "$folder"/bid-* "$folder"/bid_games-* "$folder"/SHA256SUMS
missing=()
# The date in the archives is that of the last commit.
date=@$(git log -1 --format=%ct 2> /dev/null || echo 0)

# Packs folders below $1 into the archive $2.
pack() {
    tar --create --sort=name --owner=0 --group=0 --numeric-owner --mode=a+rX,u+w,go-w --mtime="$date" --directory "$1" "${@:3}" | gzip -9n > "$folder/$2"
}

# The tools of Python's side stand in an environment of their own. With zig, what is built runs with the C library of 2014.
environment=$target/release-tools
if [ ! -x "$environment/bin/python" ] && ! python3 -m venv "$environment" 2> /dev/null; then
    rm -rf "$environment"
    apt-get update -qq && apt-get install -y -qq python3-venv > /dev/null
    python3 -m venv "$environment"
fi
export PATH=$environment/bin:$PATH VIRTUAL_ENV=$environment
pip install --quiet --disable-pip-version-check "maturin>=1.9,<2"
portable=()
# Another C library than GNU's has no versions to choose from.
if [[ $triple = *-linux-gnu* ]]; then
    if pip install --quiet --disable-pip-version-check ziglang cargo-zigbuild; then
        portable=(--zig --compatibility manylinux2014)
    else
        missing+=("the program and the wheel are for this machine's C library and later ones, as zig is not to be had from PyPI")
    fi
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ${#portable[@]} -gt 0 ]; then
    cargo zigbuild --release --locked --package bid --features pictures --target "$triple.2.17"
else
    cargo build --release --locked --package bid --features pictures --target "$triple"
fi
name=bid-$version-$triple
mkdir -p "$work/$name"/{man,completions}
cp "$target/$triple/release/bid" LICENSE README.md CHANGELOG.md CITATION.cff "$work/$name"
cp -r games "$work/$name/games"
"$work/$name/bid" man "$work/$name/man" > /dev/null
for shell in bash zsh fish; do
    "$work/$name/bid" completions $shell > "$work/$name/completions/bid.$shell"
done
pack "$work" "$name.tar.gz" "$name"

maturin build --release --locked --quiet "${portable[@]}" --manifest-path python/Cargo.toml --out "$folder"

status=0
if command -v npm > /dev/null; then
    web/build.sh > /dev/null || status=$?
else
    status=4
fi
case $status in
    0) cp -r web/dist "$work/bid-$version-playground" && pack "$work" "bid-$version-playground.tar.gz" "bid-$version-playground" ;;
    3) missing+=("the playground, as Rust's standard library for browsers is not to be had") ;;
    4) missing+=("the playground, as there is no npm here") ;;
    *) exit $status ;;
esac

(cd "$folder" && sha256sum -- bid-* bid_games-* > SHA256SUMS)
ls -l "$folder"
[ ${#missing[@]} -eq 0 ] && exit
printf 'not made: %s\n' "${missing[@]}" >&2
exit 3
