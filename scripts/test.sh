#!/bin/sh
# Builds what the tests need and runs all of them: sh scripts/test.sh
# Arguments go to `bun test`. QUIRE_TEST_PROCESSES workers share the files, by default one for each core. Ends with
# the line "N passed, N failed" and exits with 1 when a test failed.
set -eu
cd "$(dirname "$0")/.."

. scripts/prepare.sh
bun run build >&2

mkdir -p dist
rm -f dist/tests.xml

# Commands are tested as they are shipped, and the executable starts in a third of the time that the source takes.
export TEST_COMMANDS="$PWD/dist/quire"

# One worker for each core: with more, what a browser's page takes is no longer told from what it waits for.
workers=${QUIRE_TEST_PROCESSES:-$(nproc 2>/dev/null || echo 1)}

# Each worker takes the next file when it is done with one, the longest first by the times of test/timings.json, and keeps
# its modules. QUIRE_TEST_TIMINGS=update measures the times anew.
set -- --parallel="$workers" --no-isolate --timings=test/timings.json "$@"
if [ "${QUIRE_TEST_TIMINGS-}" = update ]; then
  set -- --update-timings "$@"
fi

# Real servers and a browser take longer than 5 s on a busy machine. Here, because Bun takes a timeout set in a preload for the first
# file only.
code=0
bun test --timeout 60000 --reporter=junit --reporter-outfile=dist/tests.xml "$@" || code=$?

# The figure of one attribute of the report's root element; 0 when there is none.
total() {
  value=$(sed -n "s/^.*<testsuites [^>]*$1=\"\([0-9]*\)\".*\$/\1/p" dist/tests.xml 2>/dev/null | head -n 1)
  echo "${value:-0}"
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
