#!/bin/sh
# Restores a backup of compose.postgres.yaml: `deploy/restore-postgres.sh daymark-20261122T030000Z`. Daymark is stopped
# meanwhile, and started again even if the backup is refused.
set -eu
cd "$(dirname "$0")/.."
if [ $# -ne 1 ]; then
  echo 'Name one of these backups:' >&2
  docker compose run --rm backups list >&2
  exit 2
fi
trap 'docker compose start daymark' EXIT
# Not every shell runs the one for the end when it is interrupted.
trap 'exit 130' INT TERM HUP
docker compose stop daymark
docker compose run --rm backups restore "$1"
