#!/bin/sh
# Writes the next migration of both dialects from src/db/schema.ts: sh scripts/generate-migrations.sh NAME
set -eu
for dialect in sqlite postgres; do
  node_modules/.bin/drizzle-kit generate --config "drizzle/$dialect.config.ts" --name "${1:?name the migration}"
done
