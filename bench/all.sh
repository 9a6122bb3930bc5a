#!/usr/bin/env bash
# Runs the benches of the rows with the mark ¹ in bench/RESULTS.md, one after the other. Half an hour on a quiet machine;
# nothing else may run. The output of each bench goes to the given folder. Ends with 1 if a bench failed.
#   bench/all.sh /tmp/results
set -uo pipefail
cd "$(dirname "$0")/.."
results=${1:?Name a folder for the results}
mkdir -p "$results" "$results/installation" || exit
failed=0
node_modules/.bin/node scripts/build-console.mjs > "$results/console.txt" 2>&1 || {
  echo "The console was not built: $results/console.txt says why"
  exit 1
}

# Runs one bench: its name, the file in bench/, and its options.
bench() {
  local name=$1 file=$2
  shift 2
  echo "$(date +%T) load $(cut -d ' ' -f 1 /proc/loadavg) $name"
  node_modules/.bin/node --max-semi-space-size=8 "bench/$file.ts" "$@" > "$results/$name.txt" 2>&1 || {
    echo "$name failed: $results/$name.txt says why"
    failed=1
  }
}

[ -s "$results/idle.txt" ] || bench idle endpoints/idle
bench endpoints endpoints/endpoints --folder "$results/installation" --hot --rounds 5 --seconds 0.5
bench filters endpoints/filters --folder "$results/installation"
bench import jobs/import --rounds 5
bench signatures jobs/signatures
bench matching matching/matching --made-up 862000 --only people
bench duplicates matching/duplicates
exit "$failed"
