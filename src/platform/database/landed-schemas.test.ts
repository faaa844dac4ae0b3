import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { migrations } from './migrations/migrations.ts'
import { describeEachEngineUrl } from './testing/engines.ts'
import {
  asBefore,
  described,
  fill,
  landedSchemas,
  makeLanded,
  openPlain,
  type PlainDatabase,
  type Row,
  rowsOf,
} from './testing/landed-database.ts'

// From this step on no landed step may change (see `landed.test.ts`), so what a program made is the beginning of
// today's list.
const heldFrom = migrations.findIndex((step) => step.name === '0011-partial-completions-mended') + 1

/** Columns that a step moved to another table, or whose content is made again. */
const moved: Record<string, readonly string[]> = {
  habits: ['frequency', 'frequency_at', 'earlier_rhythm', 'earlier_run', 'earlier_longest'],
}

function withoutMoved(table: string, row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !moved[table]?.includes(column)))
}

function asFirstRhythm({ user_id, id, start_day, frequency, frequency_at }: Row): Row {
  return {
    user_id,
    habit_id: id,
    from_day: start_day,
    rhythm: frequency === 'daily' ? '{"every":1}' : '{"times":1,"per":"week"}',
    rhythm_at: frequency_at,
    target: '"yes"',
  }
}

describeEachEngineUrl('A database of a former program', (emptyUrl, engine) => {
  let today: unknown
  beforeAll(async () => {
    const url = await emptyUrl()
    await (await openDatabase(url)).close()
    today = await looking(url, (db) => described(db, engine))
  })

  test.each(landedSchemas)('opens with every row: made by $madeBy', async (schema) => {
    const url = await emptyUrl()
    await looking(url, (db) => makeLanded(db, engine, schema))
    await expectToOpen(url)
  })

  test.each(migrations.slice(heldFrom - 1))('opens with every row: as far as $name', async ({ name }) => {
    const url = await emptyUrl()
    const steps = migrations.slice(0, migrations.findIndex((step) => step.name === name) + 1)
    await (await openDatabase(url, steps)).close()
    await expectToOpen(url)
  })

  async function expectToOpen(url: string) {
    const before = await looking(url, async (db) => {
      await fill(db, engine)
      return rowsOf(db, engine)
    })
    await (await openDatabase(url)).close()
    await looking(url, async (db) => {
      const after = await rowsOf(db, engine)
      for (const [table, rows] of Object.entries(before)) {
        expect(rows, table).toHaveLength(2)
        const held = rows.map((row) => withoutMoved(table, row))
        const kept = after[table]?.map((row, place) => asBefore(held[place] ?? {}, row))
        expect(kept, table).toEqual(held)
      }
      if (!before.rhythms) expect(after.rhythms).toMatchObject((before.habits ?? []).map(asFirstRhythm))
      expect(await described(db, engine)).toEqual(today)
      const applied = await db.all('select name from kysely_migration order by name')
      expect(applied.map(({ name }) => name)).toEqual(migrations.map((step) => step.name))
    })
  }
})

async function looking<T>(url: string, look: (db: PlainDatabase) => Promise<T>): Promise<T> {
  const db = await openPlain(url)
  try {
    return await look(db)
  } finally {
    await db.close()
  }
}
