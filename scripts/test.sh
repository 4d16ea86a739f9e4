#!/bin/sh
# Builds what the tests need and runs all of them: sh scripts/test.sh
# Ends with the line "N passed, N failed" and the tests' exit code.
set -eu
cd "$(dirname "$0")/.."

. scripts/prepare.sh
bun run build >&2

report=dist/tests.xml
mkdir -p dist
rm -f "$report"
code=0
# Real servers and a browser take longer than 5 s on a busy machine. Here, because Bun takes a timeout set in a preload for the first
# file only.
bun test --timeout 60000 --reporter=junit --reporter-outfile="$report" "$@" || code=$?

# The figure of one attribute of the report's root element; 0 when there is no report.
total() {
  value=
  if [ -f "$report" ]; then
    value=$(sed -n "s/^.*<testsuites [^>]*$1=\"\([0-9]*\)\".*\$/\1/p" "$report" | head -n 1)
  fi
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
