import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod/mini'
import type { Day } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { Tables } from '#platform/database/tables.ts'
import { storedJson } from '#platform/wire/stored-json.ts'
import { type AmountEntry, latestSetOf } from '../amounts.ts'

/** One entry of an amount with its day. */
export type StoredEntry = AmountEntry & { day: Day }

export type AmountRow = Tables['amounts']

/**
 * The columns that are read of every entry. `settles` is left out: an entry that sets an amount may name a thousand ids, and
 * `readSettles` reads the ids of only the latest such entry of a day.
 */
type EntryRow = Pick<AmountRow, 'id' | 'day' | 'value' | 'is_set' | 'created_at'>

/** The ids that the latest set of each day replaces, by the id of the set. `rows` must be live entries and cover whole days. */
export async function readSettles(
  tx: Kysely<Tables>,
  user: string,
  rows: readonly (EntryRow & { habit_id: string })[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const sets = rows.filter(({ is_set }) => is_set === 1)
  const ofDays = Map.groupBy(sets, ({ habit_id, day }) => `${habit_id} ${day}`)
  const latest = [...ofDays.values()].flatMap((ofDay) => {
    const entry = latestSetOf(ofDay.map((row) => entryOf(row)))
    return entry ? [entry.id] : []
  })
  const settles = new Map<string, readonly string[]>()
  const yieldPoint = createYieldPoint()
  for (const batch of inBatches(latest)) {
    await yieldPoint()
    const found = await tx
      .selectFrom('amounts')
      .select(['id', 'settles'])
      .where('user_id', '=', user)
      .where('id', 'in', batch)
      .execute()
    for (const { id, settles: named } of found) settles.set(id, named === null ? [] : namedIn(named))
  }
  return settles
}

export function entryOf(row: EntryRow, settles?: ReadonlyMap<string, readonly string[]>): StoredEntry {
  const set = row.is_set === 1
  return {
    id: row.id,
    day: row.day,
    value: row.value,
    set,
    settles: set ? settles?.get(row.id) : [],
    at: row.created_at,
    deleted: false,
  }
}

/** The ids in the stored `settles` of a set. */
export function namedIn(settles: string): string[] {
  return storedJson(settlesSchema, settles) ?? []
}

const settlesSchema = z.array(z.string())

/** All entries of one day of a habit, including deleted ones. */
export async function readEntriesOn(
  tx: Transaction<Tables>,
  { user_id, id }: Pick<Tables['habits'], 'user_id' | 'id'>,
  day: Day,
): Promise<StoredEntry[]> {
  const rows = await tx
    .selectFrom('amounts')
    .select(['habit_id', 'id', 'day', 'value', 'is_set', 'created_at', 'deleted_at'])
    .where('user_id', '=', user_id)
    .where('habit_id', '=', id)
    .where('day', '=', day)
    .execute()
  const live = rows.filter(({ deleted_at }) => deleted_at === null)
  const settles = await readSettles(tx, user_id, live)
  return rows.map((each) => ({ ...entryOf(each, settles), deleted: each.deleted_at !== null }))
}
