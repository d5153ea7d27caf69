#!/usr/bin/env bash
# The Python package: built as its README says, then tested, notebooks and kernel included.
#
# What a fresh machine lacks is installed: Debian's python3-venv, and the packages of the tests in a virtual environment below target/.
# BID_PYTHON names another Python than python3.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${BID_PYTHON:-python3}
target=${CARGO_TARGET_DIR:-$PWD/target}
environment=$target/python-tests

if ! "$python" -c "import sys; sys.exit(sys.version_info < (3, 9))"; then
    echo "python/test.sh: CPython 3.9 or later is needed" >&2
    exit 1
fi
if [ ! -x "$environment/bin/python" ] && ! "$python" -m venv "$environment" 2> /dev/null; then
    rm -rf "$environment"
    apt-get update -qq
    apt-get install -y -qq python3-venv > /dev/null
    "$python" -m venv "$environment"
fi
export PATH=$environment/bin:$PATH VIRTUAL_ENV=$environment

pip install --quiet --disable-pip-version-check pytest mypy numpy pandas networkx tqdm distributed xxhash \
    "ipykernel>=6" ipython jupyter_kernel_test nbclient nbformat
# Compiled by others only: to compile it takes longer than all tests. There may be none for this Python.
if ! pip install --quiet --disable-pip-version-check --only-binary :all: pygambit 2> /dev/null; then
    echo "python/test.sh: skipped: what is handed to pygambit, as there is no wheel of it for this Python"
fi

# As the README says, without the optimiser's minutes.
rm -f python/package/bid/*.so
MATURIN_PEP517_ARGS="--profile dev" pip install --quiet --disable-pip-version-check --force-reinstall --no-deps ./python

cd python
python -m pytest --import-mode=importlib -q -p no:cacheprovider "$@"
