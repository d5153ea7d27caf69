#!/usr/bin/env bash
# The page in a real browser: builds its bundle and compares it with the committed one, runs the tests against `bid serve`, and against the
# playground where the standard library for browsers is to be had. Installs Debian's Chromium where no browser is.
set -euo pipefail
cd "$(dirname "$0")"
for tool in node npm python3; do
    command -v $tool > /dev/null || { echo "skipped: the page is not tested, as there is no $tool here" >&2; exit 0; }
done
if ! compgen -G "/usr/bin/chromium*" > /dev/null; then
    apt-get update > /dev/null && apt-get install -y --no-install-recommends chromium fonts-dejavu-core > /dev/null
fi
./build.sh page
if ! git diff --exit-code --stat -- page || [ -n "$(git status --porcelain -- page)" ]; then
    echo "web/page is not what web/src makes: run web/build.sh page and commit it" >&2
    exit 1
fi
[ -n "${BID:-}" ] || (cd .. && cargo build --quiet)
tests=(test/page.test.mjs test/play.test.mjs test/export.test.mjs test/site.test.mjs)
status=0
built=$(./build.sh) || status=$?
echo "$built"
case $status in
    0) tests+=(test/playground.test.mjs) ;;
    3) echo "skipped: the playground is not tested, as it cannot be built here" ;;
    *) exit $status ;;
esac
node --test --test-reporter=spec "${tests[@]}"
