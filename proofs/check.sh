#!/bin/sh
# Checks everything that is proved here: compiles the theory and the answers, compares the assumptions of every
# headline theorem and of every answer with what is expected (none), runs Coq's independent checker over the theory, and
# sees to it that falsified files are refused.
#
# Usage: proofs/check.sh [-j JOBS] [--bid PROGRAM] [--no-coqchk] [--no-mutants]
# With a program the answers are written by it: the committed ones must come out as they are, and the others are checked too.
# Exit status: 0 if all is well or if Coq is not installed, which is said in a line; 1 otherwise.
set -eu

jobs=1 bid= coqchk=yes mutants=yes
while [ $# -gt 0 ]; do
  case $1 in
    -j) jobs=$2; shift 2 ;;
    --bid) bid=$(realpath "$2"); shift 2 ;;
    --no-coqchk) coqchk=no; shift ;;
    --no-mutants) mutants=no; shift ;;
    *) echo "usage: check.sh [-j JOBS] [--bid PROGRAM] [--no-coqchk] [--no-mutants]" >&2; exit 1 ;;
  esac
done
cd "$(dirname "$0")"

if ! command -v coqc > /dev/null 2>&1; then
  echo "proofs: skipped, coqc is not installed (apt-get install --no-install-recommends coq)"
  exit 0
fi

echo "proofs: $(coqc --version | head -1)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The answers as the program writes them today.
mkdir -p made
if [ -n "$bid" ]; then
  grep -v '^#' answers.txt > "$work/answers"
  while read -r name place library question; do
    file=made/$name.v
    if [ "$place" = answers ]; then file=$work/$name.v; fi
    if ! "$bid" eval -l "../games/$library.bid" --certificate "$file" "$question" > "$work/said" 2>&1 < /dev/null; then
      cat "$work/said" >&2
      echo "proofs: no theorem was written for $question" >&2
      exit 1
    fi
    if [ "$place" = answers ] && ! cmp "$file" "answers/$name.v" >&2; then
      echo "proofs: answers/$name.v is not what the program writes for $question" >&2
      exit 1
    fi
  done < "$work/answers"
  echo "proofs: the program writes all $(grep -c . "$work/answers") answers"
fi

if grep -nE '\b(Admitted|Axiom|Axioms|Parameter|Parameters|Conjecture|admit|give_up)\b' theory/*.v answers/*.v; then
  echo "proofs: the lines above assume something" >&2
  exit 1
fi

coq_makefile -f _CoqProject -o Makefile.coq > /dev/null 2>&1
make -s -f Makefile.coq -j "$jobs"
options="-Q theory Proofs -Q answers Answers -Q made Made"
if [ -n "$bid" ]; then
  # shellcheck disable=SC2086
  printf '%s\n' made/*.v | xargs -P "$jobs" -n 1 coqc $options
fi

# Print Assumptions of each theorem of headlines.txt, and of each theorem of the answers.
expect() { # the name under which it is printed, where it comes from, its module, its name
  echo "From $2 Require $3." >> "$work/requires"
  printf 'Goal True. idtac "%s:". Abort.\nPrint Assumptions %s.%s.%s.\n' "$1" "$2" "$3" "$4" >> "$work/prints"
  printf '%s:\nClosed under the global context\n' "$1" >> "$work/expected"
}
while read -r theorem; do
  [ -n "$theorem" ] && expect "$theorem" Proofs "${theorem%.*}" "${theorem#*.}"
done < headlines.txt
for file in answers/*.v made/*.v; do
  [ -f "${file}o" ] || continue
  from=Answers
  case $file in made/*) from=Made ;; esac
  module=$(basename "$file" .v)
  for name in $(sed -n 's/^Theorem \([^ ]*\) :.*/\1/p' "$file"); do
    expect "$module.$name" "$from" "$module" "$name"
  done
done
sort -u "$work/requires" | cat - "$work/prints" > "$work/assumptions.v"
# shellcheck disable=SC2086
coqc $options "$work/assumptions.v" > "$work/found"
if ! diff -u "$work/expected" "$work/found"; then
  echo "proofs: a theorem rests on assumptions that it should not need" >&2
  exit 1
fi
echo "proofs: $(grep -c . headlines.txt) headline theorems and $(($(grep -c : "$work/expected") - $(grep -c . headlines.txt))) answers, all closed under the global context"

if [ "$mutants" = yes ]; then
  python3 mutants/mutants.py check -j "$jobs"
fi

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
