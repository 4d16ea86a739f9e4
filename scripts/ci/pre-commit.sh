#!/bin/sh
# Checks and tests the Quire projects that a commit changes, as they are staged: what lies in the folder but is not
# staged changes nothing. Git's own hook: cp scripts/ci/pre-commit.sh YOUR-PROJECT/.git/hooks/pre-commit
# With paths as arguments, the projects of these.
set -eu

cd "$(git rev-parse --show-toplevel)"
if ! command -v quire >/dev/null 2>&1; then
  echo 'quire is not on PATH, so nothing was tested. Put it there, or skip this hook by git commit --no-verify.' >&2
  exit 1
fi

staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
trap 'exit 1' HUP INT TERM

changed() {
  if [ $# -gt 0 ]; then printf '%s\n' "$@"; else git diff --cached --name-only --no-renames -z | tr '\0' '\n'; fi
}

# Every folder that one of a project's folders may be in; those without models are none.
changed "$@" | awk -F/ '{
  above = ""
  for (part = 1; part < NF; part++) {
    if ($part ~ /^(contracts|models|transformers|templates|cases)$/) print above "."
    above = above $part "/"
  }
}' | LC_ALL=C sort -u > "$staged/.candidates"

code=0
while IFS= read -r project; do
  if ! git ls-files --error-unmatch -- "$project/models" >/dev/null 2>&1; then continue; fi
  echo "quire: ${project%/.}"
  git ls-files -z -- "$project" | git checkout-index -z --stdin --prefix="$staged/"
  (
    cd "$staged/$project"
    quire check . || exit 1
    for file in cases/*/*.json; do
      if [ -f "$file" ]; then exec quire test; fi
    done
  ) || code=1
done < "$staged/.candidates"
if [ "$code" -ne 0 ]; then echo 'Nothing was committed.' >&2; fi
exit "$code"
