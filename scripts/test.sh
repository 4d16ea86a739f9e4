#!/bin/sh
# Builds what the tests need and runs all of them: sh scripts/test.sh
# Arguments go to `bun test`; without any, the files are divided between as many processes as QUIRE_TEST_PROCESSES says, by default
# two where there are two cores. Ends with the line "N passed, N failed" and exits with 1 when a test failed.
set -eu
cd "$(dirname "$0")/.."

. scripts/prepare.sh
bun run build >&2

mkdir -p dist
rm -f dist/tests*.xml

# Real servers and a browser take longer than 5 s on a busy machine. Here, because Bun takes a timeout set in a preload for the first
# file only.
run() {
  report=$1
  shift
  bun test --timeout 60000 --reporter=junit --reporter-outfile="$report" "$@"
}

processes=1
if [ $# -eq 0 ]; then
  processes=${QUIRE_TEST_PROCESSES:-$(nproc 2>/dev/null || echo 1)}
  [ "$processes" -le 2 ] || processes=2
fi

code=0
if [ "$processes" -eq 1 ]; then
  run dist/tests.xml "$@" || code=$?
else
  # The second half's output comes in one piece behind the first's.
  run dist/tests-2.xml --shard=2/2 >dist/tests-2.log 2>&1 &
  second=$!
  trap 'kill "$second" 2>/dev/null || true' EXIT
  run dist/tests.xml --shard=1/2 || code=$?
  wait "$second" || code=$?
  trap - EXIT
  cat dist/tests-2.log
fi

# The figure of one attribute of the root elements of the reports; 0 when there is none.
total() {
  sum=0
  for report in dist/tests*.xml; do
    [ -f "$report" ] || continue
    value=$(sed -n "s/^.*<testsuites [^>]*$1=\"\([0-9]*\)\".*\$/\1/p" "$report" | head -n 1)
    sum=$((sum + ${value:-0}))
  done
  echo "$sum"
}

failed=$(total failures)
skipped=$(total skipped)
passed=$(($(total tests) - failed - skipped))
# A test file that cannot be loaded, or a crash, fails the run without a failed test in the report.
if [ "$code" -ne 0 ] && [ "$failed" -eq 0 ]; then
  failed=1
fi
# And a run without tests has shown nothing.
if [ "$passed" -eq 0 ] && [ "$failed" -eq 0 ]; then
  failed=1
  code=1
fi

summary="$passed passed, $failed failed"
if [ "$skipped" -gt 0 ]; then
  summary="$summary, $skipped skipped"
fi
echo "$summary"
exit "$code"
