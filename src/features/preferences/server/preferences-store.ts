import type { Selectable, Transaction } from 'kysely'
import { focusPlanSchema, isSamePlan } from '#features/focus/plan/focus-plan.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import { changedSince, keepAsItIs } from '#platform/database/rows/later-changes.ts'
import type { Tables } from '#platform/database/tables.ts'
import { forgetFound, letInAs } from '#platform/http/request/current-request.ts'
import { storedJson } from '#platform/wire/stored-json.ts'
import {
  changePreferences,
  defaultPreferences,
  type Preferences,
  type PreferencesChange,
} from '../preferences.ts'
import { preferencesChangeSchema } from '../preferences-requests.ts'

type Row = Selectable<Tables['preferences']>

const unchanged: Omit<Row, 'user_id'> = {
  ...toColumns(defaultPreferences),
  time_zone_at: 0,
  day_start_at: 0,
  week_start_at: 0,
  theme_at: 0,
  todos_sort_at: 0,
  start_page_at: 0,
  focus_plan_at: 0,
}

/** The user's preferences; the defaults if nothing was chosen yet. */
export async function readPreferences(db: Database, user: string): Promise<Preferences> {
  const [row] = await storedRow(db.read, { user })
  return row ? toPreferences(row) : defaultPreferences
}

/** The columns that are read along with a sign-in session (`preferencesReader`). */
export const preferencesAlong = [
  'time_zone',
  'time_zone_follows_browser',
  'day_start',
  'week_start',
  'theme',
  'todos_sort',
  'start_page',
  'focus_plan',
] as const

/**
 * Returns the function that reads the preferences of a request's user. They are as they were when the request was let in, since its
 * session was read together with them, until the request itself changes them.
 */
export function preferencesReader(db: Database): (user: string) => Promise<Preferences> {
  const converted = new WeakMap<object, Preferences>()
  return async (user) => {
    const found = letInAs(user)?.found
    if (!found || !wereReadAlong(found)) return readPreferences(db, user)
    const preferences = converted.get(found) ?? foundPreferences(found)
    converted.set(found, preferences)
    return preferences
  }
}

type ReadAlong = Pick<Row, (typeof preferencesAlong)[number]>

/** The columns that were read along; without a row, all of them are null. */
type FoundAlong = ReadAlong | Record<keyof ReadAlong, null>

function wereReadAlong(found: object): found is FoundAlong {
  return preferencesAlong.every((column) => column in found)
}

function foundPreferences(found: FoundAlong): Preferences {
  return found.time_zone === null ? defaultPreferences : toPreferences(found)
}

const storedRow = compiledOnce<{ user: string }>()((db, param) =>
  db.selectFrom('preferences').selectAll().where('user_id', '=', param('user')),
)

/** What else has to happen, in the same transaction, when a person's time zone changes. */
export type ZoneChanged = (tx: Transaction<Tables>, user: string, zone: string) => Promise<void>

/**
 * Stores a change of preferences. For each field, the change with the later instant wins. Days that are already stored do not
 * change.
 */
export async function storePreferences(
  db: Database,
  user: string,
  change: PreferencesChange,
  at: Instant,
  zoneChanged?: ZoneChanged,
): Promise<Preferences> {
  return db.writeFor(user, ['preferences'], async (tx) => {
    const row = await lockRow(tx, user)
    const preferences = await changeRow(tx, row, change, at)
    if (preferences.time_zone !== row.time_zone) await zoneChanged?.(tx, user, preferences.time_zone)
    return preferences
  })
}

/** The time zone and day start of several users; the defaults for users who have chosen nothing. */
export async function calendarsOf(
  tx: Transaction<Tables>,
  users: readonly string[],
): Promise<Map<string, Pick<Preferences, 'time_zone' | 'day_start'>>> {
  const calendars = new Map<string, Pick<Preferences, 'time_zone' | 'day_start'>>(
    users.map((user) => [user, defaultPreferences]),
  )
  if (users.length === 0) return calendars
  const rows = await tx
    .selectFrom('preferences')
    .select(['user_id', 'time_zone', 'day_start'])
    .where('user_id', 'in', [...calendars.keys()])
    .execute()
  for (const { user_id, ...calendar } of rows) calendars.set(user_id, calendar)
  return calendars
}

/** The user's time zone. The row is locked until the write ends. */
export async function lockTimeZone(tx: Transaction<Tables>, user: string): Promise<string> {
  const row = await tx
    .selectFrom('preferences')
    .select('time_zone')
    .where('user_id', '=', user)
    .forUpdate()
    .executeTakeFirst()
  return row?.time_zone ?? defaultPreferences.time_zone
}

/**
 * Sets all preferences at once, as a change made now, and returns the previous preferences. Equal values do not count as a
 * change.
 */
export async function importPreferences(
  tx: Transaction<Tables>,
  user: string,
  preferences: Preferences,
  at: Instant,
): Promise<Preferences> {
  const row = await lockRow(tx, user)
  const before = toPreferences(row)
  if (!isSame(before, preferences)) await changeRow(tx, row, preferences, at)
  return before
}

/** Undoes a change: restores `was` for each preference that still has the value from `is`. */
export async function restorePreferences(
  db: Database,
  user: string,
  { was, is }: { was: unknown; is: unknown },
  at: Instant,
  zoneChanged?: ZoneChanged,
): Promise<void> {
  const before: Record<string, unknown> = preferencesChangeSchema.parse(was)
  const after: Record<string, unknown> = preferencesChangeSchema.parse(is)
  const now = await readPreferences(db, user)
  const unchanged = Object.entries(now).filter(
    ([field, value]) => JSON.stringify(value) === JSON.stringify(after[field]) && value !== before[field],
  )
  if (unchanged.length === 0) return
  const change = Object.fromEntries(unchanged.map(([field]) => [field, before[field]]))
  await storePreferences(db, user, preferencesChangeSchema.parse(change), at, zoneChanged)
}

/** The user's row, which is created if there is none, and locked until the write ends. */
async function lockRow(tx: Transaction<Tables>, user: string): Promise<Row> {
  // Even if this change is kept out: then another one came before it.
  forgetFound(user)
  await tx
    .insertInto('preferences')
    .values({ user_id: user, ...unchanged })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  return tx
    .selectFrom('preferences')
    .selectAll()
    .where('user_id', '=', user)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

async function changeRow(
  tx: Transaction<Tables>,
  row: Row,
  change: PreferencesChange,
  at: Instant,
): Promise<Preferences> {
  const wanted = toColumns(changePreferences(toPreferences(row), change))
  const zoneChanges = change.time_zone !== undefined || change.time_zone_follows_browser !== undefined
  const changes = (name: Exclude<keyof PreferencesChange, 'time_zone_follows_browser'>) => {
    if (name === 'time_zone' ? !zoneChanges : change[name] === undefined) return false
    if (!changedSince(row[`${name}_at`], at)) return true
    const isKept = name === 'time_zone' && wanted.time_zone_follows_browser !== row.time_zone_follows_browser
    if (isKept || wanted[name] !== row[name]) keepAsItIs(name)
    return false
  }
  const values: Partial<Row> = {
    ...(changes('time_zone') && {
      time_zone: wanted.time_zone,
      time_zone_follows_browser: wanted.time_zone_follows_browser,
      time_zone_at: at,
    }),
    ...(changes('day_start') && { day_start: wanted.day_start, day_start_at: at }),
    ...(changes('week_start') && { week_start: wanted.week_start, week_start_at: at }),
    ...(changes('theme') && { theme: wanted.theme, theme_at: at }),
    ...(changes('todos_sort') && { todos_sort: wanted.todos_sort, todos_sort_at: at }),
    ...(changes('start_page') && { start_page: wanted.start_page, start_page_at: at }),
    ...(changes('focus_plan') && { focus_plan: wanted.focus_plan, focus_plan_at: at }),
  }
  if (Object.keys(values).length > 0) {
    await tx.updateTable('preferences').set(values).where('user_id', '=', row.user_id).execute()
  }
  return toPreferences({ ...row, ...values })
}

function isSame(one: Preferences, other: Preferences): boolean {
  return (
    one.time_zone === other.time_zone &&
    one.time_zone_follows_browser === other.time_zone_follows_browser &&
    one.day_start === other.day_start &&
    one.week_start === other.week_start &&
    one.theme === other.theme &&
    one.todos_sort === other.todos_sort &&
    one.start_page === other.start_page &&
    isSamePlan(one.focus_plan, other.focus_plan)
  )
}

function toPreferences(row: ReadAlong): Preferences {
  return {
    time_zone: row.time_zone,
    time_zone_follows_browser: row.time_zone_follows_browser === 1,
    day_start: row.day_start,
    week_start: row.week_start,
    theme: row.theme,
    todos_sort: row.todos_sort,
    start_page: row.start_page,
    focus_plan: storedJson(focusPlanSchema, row.focus_plan) ?? defaultPreferences.focus_plan,
  }
}

function toColumns(preferences: Preferences) {
  const follows: 0 | 1 = preferences.time_zone_follows_browser ? 1 : 0
  return {
    ...preferences,
    time_zone_follows_browser: follows,
    focus_plan: JSON.stringify(preferences.focus_plan),
  }
}
