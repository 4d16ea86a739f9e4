#!/bin/sh
# Puts the executable into a folder: sh scripts/ci/install.sh FOLDER [URL SHA256]
# With a URL it is taken from there, and its SHA-256 must be the one given; otherwise it is built from this clone, which
# takes half a minute and what scripts/prepare.sh installs. One that is there already stays, if it has that SHA-256 or
# was built from the same sources.
set -eu

usage='usage: sh scripts/ci/install.sh FOLDER [URL SHA256]'
case $# in
  1) url= expected= ;;
  3) url=$2 expected=$3 ;;
  *)
    echo "$usage" >&2
    exit 2
    ;;
esac
mkdir -p "$1"
folder=$(cd "$1" && pwd)
executable=$folder/quire
cd "$(dirname "$0")/../.."

if command -v sha256sum >/dev/null 2>&1; then sha256='sha256sum'; else sha256='shasum -a 256'; fi

hash_of() {
  $sha256 "$1" | cut -d ' ' -f 1
}

# Names what would be built by all that goes into it, without what building leaves there.
sources() {
  find package.json bun.lock tsconfig.json CHANGELOG.md src drizzle scripts patches \
    -type f ! -path 'src/console/dist/*' ! -name 'assets.generated*' -exec $sha256 {} + | LC_ALL=C sort | hash_of -
}

if [ -n "$url" ]; then
  if [ -f "$executable" ] && [ "$(hash_of "$executable")" = "$expected" ]; then exit 0; fi
  part=$(mktemp "$folder/quire.XXXXXX")
  trap 'rm -f "$part"' EXIT
  curl --fail --silent --show-error --location --retry 3 --output "$part" "$url"
  found=$(hash_of "$part")
  if [ "$found" != "$expected" ]; then
    echo "quire: $url has the SHA-256 $found, and $expected was expected; nothing was installed" >&2
    exit 1
  fi
  chmod 755 "$part"
  mv "$part" "$executable"
  exit 0
fi

wanted=$(sources)
if [ -f "$executable" ] && [ "$(cat "$folder/quire.sources" 2>/dev/null)" = "$wanted" ]; then exit 0; fi
QUIRE_PACKAGES=production
. scripts/prepare.sh
rm -f "$folder/quire.sources"
bun scripts/build.ts --outfile="$executable" >&2
echo "$wanted" > "$folder/quire.sources"
