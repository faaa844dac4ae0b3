import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { fileRows } from '#features/your-data/exported-account.ts'
import { readExport } from '#features/your-data/read-export.ts'
import { daySchema } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { tablesOf } from '#platform/database/rows/delete-rows.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { newPath } from '#platform/database/testing/sqlite-file.ts'
import { rowKinds } from '../row-kinds.ts'
import { openApplication } from '../testing/application.ts'
import { changedCollections, declaredFields } from '../testing/collections.ts'
import { fillAccount } from '../testing/full-account.ts'
import { noon } from '../testing/random-account.ts'

// An update can bring new forms of a field while pages of the build before are open, and while a process of it still runs.

/** One of each kind of value, none of which means anything anywhere. */
const forms = [{ planted: 'by the next build' }, [{ planted: true }], 'planted by the next build', -12.5]

/** Columns with a choice of a few values that belong to no field of their name. */
const choices = ['state', 'reminder_weekdays', 'theme', 'todos_sort', 'start_page']

/** What an older process passes on as it is: a choice of a few values, and rules, of which each reader reads what it knows. */
function isPassedOn(column: string, value: unknown): boolean {
  if (column === 'repeat' || choices.includes(column)) return value !== null
  const isOther = typeof value === 'number' ? 9 : 'planted'
  const isChoice = ['string', 'number'].includes(typeof value) && !daySchema.safeParse(value).success
  return (
    isChoice &&
    declaredFields.some((fields) => {
      const { wire, stored } = fields[column] ?? {}
      return wire?.safeParse(value).success && !stored && !wire.safeParse(isOther).success
    })
  )
}

/** What a row cannot be read without. The timer is left strict (decision 75). */
const needed: Record<string, readonly string[]> = {
  habits: ['start_date'],
  pauses: ['habit_id', 'from_day'],
  sessions: ['duration', 'started_at', 'ended_at'],
}

async function filledAccount(database: Database) {
  const daymark = openApplication(database, { clock: () => noon })
  const { cookie } = await daymark.signUp('Ada')
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await daymark.ask(method, path, { cookie, body })
    expect(response.status, `${method} ${path}: ${JSON.stringify(response.body)}`).toBeLessThan(300)
    return response.body
  }
  await fillAccount(ask, noon)
  return ask
}

async function openFile(): Promise<Database> {
  const database = await openDatabase(`sqlite:${newPath()}`)
  onTestFinished(() => database.close())
  return database
}

describe('Forms of the next build', () => {
  test('read as none on a device, and all else in the collection as it is', async () => {
    const ask = await filledAccount(await openFile())
    expect(changedCollections.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['todos', 'lists', 'habits', 'pauses', 'focus-sessions', 'preferences']),
    )
    for (const { path, readPath = path, rows, totals } of changedCollections) {
      const response = await ask('GET', readPath)
      const known = rows(response)
      const [collection = '', value] = rowsIn(response)
      const first = Array.isArray(value) ? [collection, 0] : [collection]
      for (const place of placesIn(Array.isArray(value) ? value[0] : value, first)) {
        const field = String(place[first.length])
        for (const form of forms) {
          const planted = withForm(response, place, form)
          const read = rows(planted)
          totals?.(planted)
          const isGone = field === 'id' || needed[collection]?.includes(field)
          const where = `${place.join('.')}: ${JSON.stringify(form)}`
          if (isGone) expect([0, 1], where).toContain(known.length - read.length)
          else expect(read, where).toHaveLength(known.length)
          const others = read.filter((row) => idOf(row) !== idOf(Array.isArray(value) ? value[0] : undefined))
          expect(known, where).toEqual(expect.arrayContaining(field === 'id' ? others.slice(1) : others))
        }
      }
    }
  })

  test('read as none in a file, and what is left out is told', async () => {
    const ask = await filledAccount(await openFile())
    const file = await ask('GET', '/api/export')
    for (const collection of [...Object.keys(fileRows), 'preferences']) {
      const value: unknown = Reflect.get(Object(file), collection)
      const first = Array.isArray(value) ? [collection, 0] : [collection]
      for (const place of placesIn(Array.isArray(value) ? value[0] : value, first)) {
        for (const form of forms) {
          const where = `${place.join('.')}: ${JSON.stringify(form)}`
          const read = readExport(JSON.stringify(withForm(file, place, form)))
          if ('problem' in read) {
            // A known form with a value that it may not have.
            expect([where, read.problem]).toEqual([
              where,
              expect.stringMatching(/Expected at|must be between/),
            ])
            continue
          }
          const rows: unknown = Reflect.get(read.exported, collection)
          const gone = Array.isArray(value) && Array.isArray(rows) ? value.length - rows.length : 0
          expect([0, 1], where).toContain(gone)
          if (gone === 0 && JSON.stringify(rows).includes(JSON.stringify(form))) continue
          expect([where, read.unread]).toEqual([
            where,
            expect.stringContaining("doesn't know the form of some of this file"),
          ])
        }
      }
    }
  })
})

describeEachEngine('Forms of the next build', (openEmpty) => {
  test('of JSON read as none in the database, and everything is answered in known forms', async () => {
    const database = await openEmpty()
    const ask = await filledAccount(database)
    const planted = new Set<string>()
    for (const form of ['{"planted":true}', '"planted"']) {
      await plant(database, (table, column, value) => {
        if (typeof value !== 'string' || !/^[[{]/.test(value) || isPassedOn(column, value)) return value
        planted.add(`${table}.${column}`)
        return form
      })
      for (const view of views) await ask('GET', view)
    }
    expect([...planted]).toEqual(
      expect.arrayContaining([
        ...['todos.reminder', 'todos.tags', 'rhythms.rhythm', 'rhythms.target'],
        ...['habits.earlier_sum', 'preferences.focus_plan', 'imports.added', 'imports.counts'],
      ]),
    )
  })

  test('of a choice or a rule are passed on by an older process, and fail nothing', async () => {
    const database = await openEmpty()
    const ask = await filledAccount(database)
    const passedOn = new Set<string>()
    await plant(database, (table, column, value) => {
      if (!isPassedOn(column, value)) return value
      if (column === 'repeat') return '{"planted":true}'
      passedOn.add(`${table}.${column}`)
      return typeof value === 'number' ? 9 : 'planted'
    })
    for (const view of views) {
      await ask('GET', view).catch((error: unknown) => {
        // Here, responses are compared with what this build declares. Devices read none.
        if (!(error instanceof z.core.$ZodError)) throw error
      })
    }
    expect([...passedOn]).toEqual(
      expect.arrayContaining([
        'todos.priority',
        'lists.color',
        'lists.sort',
        'focus_sessions.kind',
        'todo_days.state',
      ]),
    )
  })
})

const days = 'from=2026-11-01&to=2026-11-20'
const views = [
  ...['/api/lists', '/api/todos', '/api/todos?done=recent', '/api/todos/completed?range=all', '/api/tags'],
  ...['/api/habits', '/api/pauses', `/api/habits/completed?${days}`, `/api/focus?${days}`],
  ...[`/api/focus/subjects?${days}`, '/api/preferences', '/api/imports', '/api/export'],
]

/** Stores what a process of the next build would, in each column in which it differs. */
async function plant(
  database: Database,
  next: (table: string, column: string, value: unknown) => unknown,
): Promise<void> {
  const { id } = await database.read.selectFrom('user').select('id').executeTakeFirstOrThrow()
  await database.writeFor(id, ['todos', 'habits', 'imports'], async (tx) => {
    for (const table of new Set([...tablesOf(rowKinds), 'preferences', 'imports'])) {
      const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(tx)
      for (const [column, value] of rows.flatMap(Object.entries)) {
        const planted = next(table, column, value)
        if (planted === value) continue
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${planted}
          where ${sql.ref(column)} is not null`.execute(tx)
      }
    }
  })
}

type Place = readonly (string | number)[]

/** The collection of a response, or the one row in it. */
function rowsIn(response: unknown): [collection: string, rows: unknown] {
  const parts = Object.entries(Object(response))
  return parts.find(([, part]) => Array.isArray(part)) ?? parts[0] ?? ['', undefined]
}

function idOf(row: unknown): unknown {
  return Reflect.get(Object(row), 'id')
}

/** Each place in a row, and in what is in it. */
function placesIn(value: unknown, place: Place): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return steps.flatMap((step) => {
    const inner = [...place, step]
    return [inner, ...placesIn(Reflect.get(value, step), inner)]
  })
}

function withForm(response: unknown, place: Place, form: unknown): unknown {
  const planted = structuredClone(response)
  const holder = place.slice(0, -1).reduce((value, step) => Reflect.get(Object(value), step), planted)
  Reflect.set(Object(holder), place.at(-1) ?? '', form)
  return planted
}
