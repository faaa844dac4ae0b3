import type { Kysely, Selectable } from 'kysely'
import { amountRows } from '#features/habits/amounts/server/amount-rows.ts'
import type { Day } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { DaysOfHabit } from '#platform/wire/file-rows.ts'

/** Days that an import would bring, by kind. */
interface Asked {
  completions?: readonly DaysOfHabit<Day>[] | undefined
  skips?: readonly DaysOfHabit<Day>[] | undefined
  notes?: readonly DaysOfHabit<Day>[] | undefined
  amounts?: readonly DaysOfHabit<{ id: string; day: Day }>[] | undefined
}

type Stored = Pick<Selectable<Tables['completions']>, 'day' | 'done' | 'skipped' | 'note' | 'import_id'>

/** Whether a stored day already has this kind of data. */
const has: Record<
  'completions' | 'skips' | 'notes',
  (stored: Pick<Stored, 'done' | 'skipped' | 'note'>) => boolean
> = {
  completions: ({ done }) => done === 1,
  skips: ({ done, skipped }) => done === 1 || skipped === 1,
  notes: ({ note }) => note !== '',
}

/** The days on which an import would add something. With `importId`, the days on which that import did add something. */
export async function findNewDays(
  db: Kysely<Tables>,
  user: string,
  { amounts = [], ...asked }: Asked,
  importId: string | undefined,
): Promise<{ habit_id: string; days: Day[] }[]> {
  const days = new Map<string, Set<Day>>()
  const add = (habit_id: string, found: readonly Day[]) =>
    days.set(habit_id, (days.get(habit_id) ?? new Set()).union(new Set(found)))
  for (const list of ['completions', 'skips', 'notes'] as const) {
    for (const { habit_id, days: listed } of asked[list] ?? []) {
      const stored = await storedDays(db, user, habit_id, listed)
      add(
        habit_id,
        listed.filter((day) => {
          const row = stored.get(day)
          if (importId !== undefined) return row?.import_id === importId
          return row === undefined || !has[list](row)
        }),
      )
    }
  }
  for (const { habit_id, days: entries } of amounts) {
    const ids = entries.map(({ id }) => id)
    const found = new Set(await amountRows.findNew(db, user, ids, importId))
    add(
      habit_id,
      entries.filter(({ id }) => found.has(id)).map(({ day }) => day),
    )
  }
  const all = [...days].filter(([, found]) => found.size > 0)
  return all.map(([habit_id, found]) => ({ habit_id, days: [...found].toSorted() }))
}

async function storedDays(
  db: Kysely<Tables>,
  user: string,
  habit: string,
  days: readonly Day[],
): Promise<Map<Day, Stored>> {
  const stored = new Map<Day, Stored>()
  for (const batch of inBatches(days)) {
    const rows = await db
      .selectFrom('completions')
      .select(['day', 'done', 'skipped', 'note', 'import_id'])
      .where('user_id', '=', user)
      .where('habit_id', '=', habit)
      .where('day', 'in', batch)
      .execute()
    for (const row of rows) stored.set(row.day, row)
  }
  return stored
}
