#!/usr/bin/env bash
# Makes and restores backups of a PostgreSQL database with PostgreSQL's own programs. This is the service `backups` of
# compose.postgres.yaml, and runs in the image postgres:17.
#
#   schedule       makes a backup whenever the newest is older than BACKUP_EVERY
#   now            makes one at once
#   list           lists them
#   restore NAME   puts one in the place of the database, which is kept under another name
#   healthy        succeeds unless the newest is older than twice BACKUP_EVERY
#
# A backup is a folder like one that `npm run backup` makes. It counts only once it was restored into a scratch database
# and every table there had the rows that it had when the backup was made. PGHOST, PGUSER and PGDATABASE say where the
# database is; PGPASSWORD_FILE names the file with the password.
set -euo pipefail
umask 077

script=${BASH_SOURCE[0]}
folder=${BACKUP_TO:-/backups}
: "${PGDATABASE:=daymark}"
if [[ -n ${PGPASSWORD_FILE:-} ]]; then
  PGPASSWORD=$(< "$PGPASSWORD_FILE")
  export PGPASSWORD
fi
export PGDATABASE PGAPPNAME='daymark backup' PGOPTIONS='--client-min-messages=warning'

scratch_database=${PGDATABASE}_backup_check
new_database=${PGDATABASE}_restoring

# A link in an email that was used since would work again. The list is that of src/platform/database/storage/contents.ts.
tables_not_restored=(verification sign_ups invitations rateLimit)

# Seconds. A computer that slept counts none of them: after each pause, the time is read again.
longest_pause=600
retry_after=3600
no_tables_retry_after=60

# The status of `now` when Daymark has not made its tables yet: one that no other program has.
no_tables=75

fail() {
  echo "$1" >&2
  exit 1
}

schedule() {
  local errors status left
  errors=$(mktemp)
  trap 'stop "$errors"' TERM INT HUP
  if ((every == 0)); then
    echo 'BACKUP_EVERY is off: no backups are made.'
    while true; do run sleep "$longest_pause"; done
  fi
  while true; do
    left=$(seconds_until_due)
    if ((left > 0)); then
      pause "$left"
      continue
    fi
    status=0
    run bash "$script" now 2> "$errors" || status=$?
    ((status != 0)) || continue
    if ((status == no_tables)); then
      cat "$errors"
      pause "$no_tables_retry_after"
    else
      echo "The backup failed; it is tried again in an hour: $(paste -s -d ' ' "$errors")" >&2
      pause "$retry_after"
    fi
  done
}

# Runs a command as a process group, which `stop` ends with all that it started.
run() {
  local status=0
  set -m
  "$@" &
  child=$!
  set +m
  wait "$child" || status=$?
  child=
  return "$status"
}

stop() {
  [[ -z ${child:-} ]] || kill -- "-$child" 2> /dev/null || true
  rm -f "$1"
  exit 0
}

pause() {
  local until now
  now=$(date +%s)
  until=$((now + ($1 < every ? $1 : every)))
  while ((now < until)); do
    run sleep $((until - now < longest_pause ? until - now : longest_pause))
    now=$(date +%s)
  done
}

seconds_until_due() {
  local newest
  newest=$(newest_at)
  echo $((newest + every - $(date +%s)))
}

is_healthy() {
  local newest
  newest=$(newest_at)
  ((every == 0 || $(date +%s) - newest <= 2 * every)) || fail 'The newest backup is too old; the log says why.'
}

# Seconds since 1970; 0 if there is none. A name from the future is of a clock that was wrong: it does not count.
newest_at() {
  local name at now newest=0
  now=$(date +%s)
  for name in $(backups); do
    at=$(made_at "$name")
    ((at > now)) || newest=$at
  done
  echo "$newest"
}

# The oldest first.
backups() {
  local path
  for path in "$folder"/daymark-*; do
    [[ ! -d $path || $(made_at "${path##*/}") == 0 ]] || echo "${path##*/}"
  done
}

# Seconds since 1970, from the name, which survives copying; 0 if it is not the name of a backup.
made_at() {
  local at=0
  if [[ $1 =~ ^daymark-([0-9]{8})T([0-9]{2})([0-9]{2})([0-9]{2})Z$ ]]; then
    at="${BASH_REMATCH[1]} ${BASH_REMATCH[2]}:${BASH_REMATCH[3]}:${BASH_REMATCH[4]}"
    at=$(date -u -d "$at" +%s 2> /dev/null) || at=0
  fi
  echo "$at"
}

list() {
  local name
  for name in $(backups); do echo "$name $(size_of "$name")"; done
}

size_of() {
  du -sh "$folder/$1" | cut -f 1
}

back_up() {
  local there name contents migration rows
  take_lock
  # What a run that was killed has left.
  drop "$scratch_database"
  drop "$new_database"
  rm -rf "$folder"/.arriving-* "$folder"/.leaving-*
  there=$(query --command="select to_regclass('kysely_migration') is not null;")
  if [[ $there != t ]]; then
    echo 'There is nothing to back up yet: Daymark makes its tables when it starts.' >&2
    exit "$no_tables"
  fi

  name=$(new_name)
  draft=$folder/.arriving-$name
  mkdir "$draft"
  contents=$(dump)
  [[ -f $draft/daymark.dump ]] || fail 'pg_dump failed.'
  { read -r migration && read -r rows; } <<< "$contents"
  restore_into "$scratch_database" "$draft/daymark.dump" "$rows"
  drop "$scratch_database"
  describe "$name" "$migration" "$rows" > "$draft/backup.json"
  sync "$draft/backup.json" "$draft"
  mv "$draft" "$folder/$name"
  sync "$folder"
  remove_old
  echo "Backed up to $name ($(size_of "$name")). It was restored once and counted."
}

# Only one backup is made or restored at a time. The lock ends with the last process that was started under it.
take_lock() {
  exec 9> "$folder/.lock-of-backups"
  flock --nonblock 9 && return
  # Daymark is stopped meanwhile.
  [[ ${1:-} != at-once ]] || fail 'A backup is being made. Try again when it is done. Nothing was changed.'
  echo 'Waiting for another backup to end.' >&2
  flock 9
}

new_name() {
  local name
  name=daymark-$(date -u +%Y%m%dT%H%M%SZ)
  while [[ -e $folder/$name ]]; do
    sleep 0.2
    name=daymark-$(date -u +%Y%m%dT%H%M%SZ)
  done
  echo "$name"
}

# Prints the last migration and the rows of each table, and dumps what was there at that same moment: pg_dump works
# while this session keeps the snapshot.
dump() {
  local pg_dump='pg_dump --format=custom --no-owner --no-privileges --snapshot="$SNAPSHOT" --file="$DRAFT/unfinished"'
  DRAFT=$draft query << SQL
begin isolation level repeatable read read only;
select pg_export_snapshot() as snapshot \gset
\setenv SNAPSHOT :snapshot
select max(name collate "C") from kysely_migration;
$count_rows
\! $pg_dump && mv "\$DRAFT/unfinished" "\$DRAFT/daymark.dump"
SQL
}

# Prints the rows of each table as one line of JSON.
count_rows='
select $$select json_object_agg(name, rows order by name) from ($$
  || string_agg(
    format($$select %L as name, count(*) as rows from %I.%I$$, tablename, schemaname, tablename), $$ union all $$
  )
  || $$) as counted$$
from pg_tables where schemaname = current_schema() \gexec'

# Fails unless the new database then has the expected rows.
restore_into() {
  local database=$1 dump=$2 expected=$3 found difference
  drop "$database"
  query --dbname=postgres --set=database="$database" <<< 'create database :"database" template template0;'
  pg_restore --single-transaction --no-owner --no-privileges --dbname="$database" "$dump"
  found=$(query --dbname="$database" <<< "$count_rows")
  difference=$(
    query --dbname=postgres --set=found="$found" --set=expected="$expected" << 'SQL'
select string_agg(
  format('%s has %s rows instead of %s', key, coalesce(found.value, 'no'), coalesce(expected.value, 'none')),
  ', ' order by key
)
from json_each_text(:'found') as found full join json_each_text(:'expected') as expected using (key)
where found.value is distinct from expected.value;
SQL
  )
  [[ -z $difference ]] || fail "The backup is damaged: $difference."
}

# What Daymark's own backups say of themselves: src/app/backups/about.ts.
describe() {
  query --set=name="$1" --set=migration="$2" --set=rows="$3" --set=sha256="$(checksum "$draft/daymark.dump")" \
    --set=bytes="$(wc -c < "$draft/daymark.dump")" << 'SQL'
select jsonb_pretty(jsonb_build_object(
  'format', 1,
  'daymark', '(version not recorded)',
  'engine', 'postgres',
  'made_at', to_char(to_timestamp(:'name', '"daymark-"YYYYMMDD"T"HH24MISS"Z"'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  'migration', :'migration',
  'rows', :'rows'::jsonb,
  'parts', jsonb_build_object('daymark.dump', jsonb_build_object('bytes', :bytes, 'sha256', :'sha256'))
));
SQL
}

checksum() {
  sha256sum "$1" | cut -d ' ' -f 1
}

# All but the newest of each of the last days and weeks, by UTC, that have one: as src/app/backups/keep.ts does it.
remove_old() {
  local name at day week kept last_day=none last_week=none days=0 weeks=0
  for name in $(backups | sort -r); do
    at=$(made_at "$name")
    day=$((at / 86400))
    # 1 January 1970 was a Thursday, and weeks begin on Monday.
    week=$(((day + 3) / 7))
    kept=no
    if [[ $day != "$last_day" ]]; then
      last_day=$day
      days=$((days + 1))
      ((days > daily)) || kept=yes
    fi
    if [[ $week != "$last_week" ]]; then
      last_week=$week
      weeks=$((weeks + 1))
      ((weeks > weekly)) || kept=yes
    fi
    # Renamed first, so that half of one is never taken for a backup.
    [[ $kept == yes ]] || { mv "$folder/$name" "$folder/.leaving-$name" && rm -rf "$folder/.leaving-$name"; }
  done
}

restore() {
  local name=${1:-} about rows before
  [[ -n $name && $name != */* && -f $folder/$name/backup.json ]] ||
    fail "There is no backup '$name'. These are there: $(backups | paste -s -d ' ')"
  take_lock at-once
  about=$(< "$folder/$name/backup.json")
  [[ $(about "$about" 'parts,daymark.dump,sha256') == "$(checksum "$folder/$name/daymark.dump")" ]] ||
    fail 'The backup is damaged: daymark.dump does not match its checksum. Nothing was changed.'
  refuse_while_daymark_runs
  trap 'drop "$new_database"' EXIT
  rows=$(about "$about" rows)
  restore_into "$new_database" "$folder/$name/daymark.dump" "$rows"
  delete_links
  refuse_while_daymark_runs
  before=${PGDATABASE}_before_$(date -u +%Y%m%dt%H%M%Sz)
  query --dbname=postgres --set=database="$PGDATABASE" --set=before="$before" --set=new="$new_database" << 'SQL'
begin;
alter database :"database" rename to :"before";
alter database :"new" rename to :"database";
commit;
SQL
  echo "Restored $name. What was there before is kept in the database $before."
}

# A part of what a backup says of itself.
about() {
  query --dbname=postgres --set=about="$1" --set=path="$2" <<< \
    "select :'about'::json #>> string_to_array(:'path', ',');"
}

refuse_while_daymark_runs() {
  local connections
  connections=$(
    query --dbname=postgres --set=database="$PGDATABASE" << 'SQL'
select count(*) from pg_stat_activity where datname = :'database' and application_name = 'daymark';
SQL
  )
  ((connections == 0)) || fail 'Daymark is running on this database. Stop it first. Nothing was changed.'
}

delete_links() {
  local table there
  for table in "${tables_not_restored[@]}"; do
    # Not every version of Daymark has all of them.
    there=$(query --dbname="$new_database" --command="select to_regclass('\"$table\"') is not null")
    [[ $there != t ]] || query --dbname="$new_database" --command="delete from \"$table\""
  done
  # Until it is analyzed, PostgreSQL knows nothing of the rows, and plans badly.
  query --dbname="$new_database" --command=analyze
}

drop() {
  query --dbname=postgres --set=database="$1" <<< 'drop database if exists :"database" with (force);'
}

query() {
  psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@"
}

# Seconds; 0 if no backups are made.
read_every() {
  local text=${BACKUP_EVERY:-1d}
  if [[ $text == off ]]; then
    every=0
    return
  fi
  [[ $text =~ ^([1-9][0-9]{0,2})([smhd])$ ]] ||
    fail "BACKUP_EVERY must be off or a number of hours or days such as 6h or 1d, not \"$text\""
  every=${BASH_REMATCH[1]}
  case ${BASH_REMATCH[2]} in
    m) every=$((every * 60)) ;;
    h) every=$((every * 3600)) ;;
    d) every=$((every * 86400)) ;;
  esac
}

read_keep() {
  local text=${BACKUP_KEEP:-7 daily, 4 weekly} part parts
  local problem="BACKUP_KEEP must be such as \"7 daily, 4 weekly\", not \"$text\""
  daily=0 weekly=0
  IFS=, read -ra parts <<< "$text"
  for part in "${parts[@]}"; do
    [[ $part =~ ^\ *([0-9]{1,3})\ +(daily|weekly)\ *$ ]] || fail "$problem"
    case ${BASH_REMATCH[2]} in
      daily) daily=$((10#${BASH_REMATCH[1]})) ;;
      weekly) weekly=$((10#${BASH_REMATCH[1]})) ;;
    esac
  done
  ((daily + weekly > 0)) || fail "$problem"
}

read_every
read_keep
case ${1:-schedule} in
  schedule) schedule ;;
  now) back_up ;;
  list) list ;;
  restore) restore "${2:-}" ;;
  healthy) is_healthy ;;
  *) fail 'Say schedule, now, list, restore NAME or healthy.' ;;
esac
