# Sourced by the other scripts from the project's folder. Leaves a usable Bun first on PATH and the locked packages
# installed; QUIRE_PACKAGES=production leaves out those that only tests, benches and generators need, over half of the
# bytes. A machine needs either Bun or node with npm; nothing is installed outside this folder unless that fails.

bun_wanted=1.4.5
bun_oldest=1.4.4

# Succeeds when the program given runs here and is not older than $bun_oldest.
bun_is_usable() {
  found=$("$1" --version 2>/dev/null) || return 1
  lowest=$(printf '%s\n%s\n' "$found" "$bun_oldest" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)
  [ "$lowest" = "$bun_oldest" ]
}

# Prints the directory of a usable Bun among the directories given.
find_bun() {
  for directory in "$@"; do
    if bun_is_usable "$directory/bun"; then
      printf '%s\n' "$directory"
      return 0
    fi
  done
  return 1
}

# npm may refuse to run the package's install script, and the program it would have linked is then missing. The real
# one is in the package for this machine that came along with it, so the script is not run at all and that one is used.
find_bun_below() {
  find_bun "$1"/@oven/bun-*/bin "$1"/bun/node_modules/@oven/bun-*/bin
}

install_bun() {
  if ! command -v npm >/dev/null 2>&1; then
    echo 'Quire needs Bun (https://bun.sh) or node with npm, to install Bun: neither is on PATH.' >&2
    return 1
  fi
  echo "Installing Bun $bun_wanted ..." >&2
  mkdir -p .tools
  if npm install --prefix .tools --ignore-scripts --no-save --no-audit --no-fund --loglevel=error "bun@$bun_wanted" >&2; then
    find_bun_below .tools/node_modules && return 0
  fi
  echo 'That gave no usable Bun; trying a global installation.' >&2
  npm install --global --ignore-scripts --no-audit --no-fund --loglevel=error "bun@$bun_wanted" >&2 || return 1
  find_bun_below "$(npm root --global)"
}

if ! { command -v bun >/dev/null 2>&1 && bun_is_usable bun; }; then
  bun_directory=$(find_bun_below .tools/node_modules) || bun_directory=$(install_bun) || {
    echo "Bun $bun_oldest or newer could not be installed. Install it yourself, then run this again." >&2
    exit 1
  }
  case $bun_directory in
    /*) ;;
    *) bun_directory=$(pwd)/$bun_directory ;;
  esac
  PATH=$bun_directory:$PATH
  export PATH
fi

# The summary would name a script that is not run: it links the program of a database server, which only tests start.
if [ "${QUIRE_PACKAGES-}" = production ]; then
  bun install --frozen-lockfile --no-summary --production >&2
else
  bun install --frozen-lockfile --no-summary >&2
fi
