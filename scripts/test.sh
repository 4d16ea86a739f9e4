#!/bin/sh
# Builds what the tests need and runs all of them: sh scripts/test.sh
# Arguments go to `bun test`. QUIRE_TEST_PROCESSES workers share the files, by default one for each core. Ends with
# the line "N passed, N failed" and exits with 1 when a test failed.
set -eu
cd "$(dirname "$0")/.."

. scripts/prepare.sh
bun run build >&2

mkdir -p dist
rm -f dist/tests*.xml dist/tests.log

# Commands are tested as they are shipped, and the executable starts in a third of the time that the source takes.
export TEST_COMMANDS="$PWD/dist/quire"

# A worker of tests runs much code a little: what JavaScriptCore's last compiler takes of the processor it never gives back. Executables
# under test have it; test/support/environment.ts says what they do without.
export BUN_JSC_useFTLJIT="${BUN_JSC_useFTLJIT:-0}"

# One worker for each core where a browser measures: with more, what its page takes is no longer told from what it waits for. All
# other tests wait for about half of their time, for processes, leases and servers, so three workers keep two cores at work.
workers=${QUIRE_TEST_PROCESSES:-$(nproc 2>/dev/null || echo 1)}
more=$((workers + workers / 2))

# Each worker takes the next file when it is done with one, the longest first by the times of test/timings.json, and keeps
# its modules. QUIRE_TEST_TIMINGS=update measures the times anew.
update=
if [ "${QUIRE_TEST_TIMINGS-}" = update ]; then
  update=--update-timings
fi

# Real servers and a browser take longer than 5 s on a busy machine. Here, because Bun takes a timeout set in a preload for the first
# file only.
code=0
run() {
  report=$1
  processes=$2
  shift 2
  {
    bun test --timeout 180000 --reporter=junit --reporter-outfile="dist/$report.xml" --parallel="$processes" --no-isolate \
      --timings=test/timings.json $update "$@" && echo 0 >dist/tests.code || echo $? >dist/tests.code
  } 2>&1 | tee -a dist/tests.log
  ended=$(cat dist/tests.code)
  [ "$ended" -eq 0 ] || code=$ended
}
if [ $# -gt 0 ]; then
  run tests "$workers" "$@"
else
  run tests "$more" --path-ignore-patterns='test/browser/**'
  run tests-browser "$workers" test/browser/
fi

# The figures of one attribute of the reports' root elements, added up; 0 when there is none.
total() {
  sum=0
  for value in $(sed -n "s/^.*<testsuites [^>]*$1=\"\([0-9]*\)\".*\$/\1/p" dist/tests*.xml 2>/dev/null); do
    sum=$((sum + value))
  done
  echo "$sum"
}

if [ "$code" -ne 0 ]; then
  bun scripts/failures.ts dist/tests.log dist/tests*.xml || true
fi
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
