#!/bin/sh
# Builds Quire and runs it with the demo configuration: sh scripts/start.sh
# It prints the console's address and, on the first start, the administrator's password. Ctrl-C stops it.
set -eu
cd "$(dirname "$0")/.."

QUIRE_PACKAGES=production
. scripts/prepare.sh
bun run build >&2

QUIRE_DEMO=${QUIRE_DEMO-true}
export QUIRE_DEMO
exec dist/quire serve "$@"
