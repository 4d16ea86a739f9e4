#!/bin/sh
# Writes the next migration of both dialects from src/db/schema.ts: sh scripts/generate-migrations.sh NAME
# Put the line "-- expands" before both if older versions may run beside it (docs/decisions/0028), which it takes to be
# replaced one instance after the other.
set -eu
for dialect in sqlite postgres; do
  node_modules/.bin/drizzle-kit generate --config "drizzle/$dialect.config.ts" --name "${1:?name the migration}"
done
