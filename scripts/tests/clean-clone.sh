#!/usr/bin/env bash
# Runs the two commands as a newcomer would: from a clone of what is committed, in an empty home directory with only the
# system's npm. First npm start until it responds, twice, then npm test, twice; `scripts/tests/clean-clone.sh start` skips the
# tests. PORT (3000) has to be free.
set -uo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
port=${PORT:-3000}
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
failures=0

# Not a function: in the background, it would run in a shell of its own, which would get the signal instead.
stranger=(env -i HOME="$folder/home" PATH=/usr/bin:/bin PORT="$port")

outcome() { # name, exit code, since
  if [ "$2" -eq 0 ]; then echo "=== ok: $1 ($((SECONDS - $3)) s)"; else
    failures=$((failures + 1))
    echo "=== FAILED: $1 (exit $2, $((SECONDS - $3)) s)"
  fi
}

answers() {
  # By the Node that npm start brings: before it is there, nothing can answer.
  node_modules/.bin/node -e "fetch('http://localhost:$port/api/health').then((r) => process.exit(r.ok ? 0 : 1))" 2> /dev/null
}

start_and_end() { # which
  local since=$SECONDS ended
  echo "=== npm start, $1 time"
  "${stranger[@]}" npm start > >(tee "$folder/said") 2>&1 &
  server=$!
  until answers; do
    if ! kill -0 "$server" 2> /dev/null; then
      wait "$server"
      ended=$?
      server=
      outcome "npm start, $1 time, ended instead of serving" $((ended == 0 ? 1 : ended)) "$since"
      return
    fi
    if [ $((SECONDS - since)) -gt 600 ]; then
      outcome "npm start, $1 time, did not answer in ten minutes" 1 "$since"
      return
    fi
    sleep 1
  done
  outcome "npm start, $1 time, answers" 0 "$since"
  # A second one for what npm left out doubles the wait.
  echo "=== packages were installed $(grep -c '^added ' "$folder/said") times"
  grep -q '^Set-up: npm, run by an old Node, left out' "$folder/said" && outcome 'packages are installed once' 1 "$since"
  since=$SECONDS
  kill -TERM "$server"
  wait "$server"
  ended=$?
  server=
  outcome "npm start, $1 time, ends by SIGTERM" $ended "$since"
  answers && outcome "npm start, $1 time, has left nothing behind" 1 "$since"
}

run_tests() { # which
  local since=$SECONDS
  echo "=== npm test, $1 time"
  "${stranger[@]}" npm test
  outcome "npm test, $1 time" $? "$since"
}

mkdir "$folder/home"
git clone --quiet "$repository" "$folder/daymark"
cd "$folder/daymark" || exit 1
echo "=== $(git log -1 --format='%h %s'), with $("${stranger[@]}" node -v) and npm $("${stranger[@]}" npm -v)"

start_and_end first
start_and_end second
if [ "${1:-}" != start ]; then
  run_tests first
  run_tests second
fi

if [ "$failures" -eq 0 ]; then echo "=== all is well"; else echo "=== $failures failed"; fi
exit $((failures > 0 ? 1 : 0))
