#!/bin/sh
# Checks everything that is proved here: compiles the theory and the answers, compares the assumptions of every
# headline theorem with what is expected (none), and runs Coq's independent checker over the theory.
#
# Usage: proofs/check.sh [-j JOBS] [--no-coqchk]
# Exit status: 0 if all is well or if Coq is not installed, which is said in a line; 1 otherwise.
set -eu
cd "$(dirname "$0")"

jobs=1
coqchk=yes
while [ $# -gt 0 ]; do
  case $1 in
    -j) jobs=$2; shift 2 ;;
    --no-coqchk) coqchk=no; shift ;;
    *) echo "usage: check.sh [-j JOBS] [--no-coqchk]" >&2; exit 1 ;;
  esac
done

if ! command -v coqc > /dev/null 2>&1; then
  echo "proofs: skipped, coqc is not installed (apt-get install --no-install-recommends coq)"
  exit 0
fi

echo "proofs: $(coqc --version | head -1)"
if grep -nE '\b(Admitted|Axiom|Axioms|Parameter|Parameters|Conjecture|admit|give_up)\b' theory/*.v answers/*.v; then
  echo "proofs: the lines above assume something" >&2
  exit 1
fi

coq_makefile -f _CoqProject -o Makefile.coq > /dev/null 2>&1
make -s -f Makefile.coq -j "$jobs"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Print Assumptions of each theorem of headlines.txt.
while read -r theorem; do
  [ -n "$theorem" ] || continue
  module=${theorem%.*}
  if [ -f "theory/$module.v" ]; then from=Proofs; else from=Answers; fi
  echo "From $from Require $module." >> "$work/requires"
  printf 'Goal True. idtac "%s:". Abort.\nPrint Assumptions %s.%s.\n' "$theorem" "$from" "$theorem" >> "$work/prints"
  printf '%s:\nClosed under the global context\n' "$theorem" >> "$work/expected"
done < headlines.txt
cat "$work/requires" "$work/prints" > "$work/assumptions.v"
coqc -Q theory Proofs -Q answers Answers "$work/assumptions.v" > "$work/found"
if ! diff -u "$work/expected" "$work/found"; then
  echo "proofs: a theorem rests on assumptions that it should not need" >&2
  exit 1
fi
echo "proofs: $(grep -c . headlines.txt) headline theorems, all closed under the global context"

if [ "$coqchk" = yes ]; then
  modules=$(sed -n 's#^theory/\(.*\)\.v$#Proofs.\1#p' _CoqProject | grep -vE 'Proofs\.(Data|Graphs|Answers)$')
  # shellcheck disable=SC2086
  coqchk -silent -o -Q theory Proofs $modules > "$work/coqchk" 2>&1 || { cat "$work/coqchk" >&2; exit 1; }
  if ! tr -d '\n' < "$work/coqchk" | grep -q 'Axioms: *<none>'; then
    cat "$work/coqchk" >&2
    exit 1
  fi
  echo "proofs: coqchk accepts the theory, without axioms"
fi
