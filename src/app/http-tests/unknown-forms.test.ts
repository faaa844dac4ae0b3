import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fileRows } from '#features/your-data/exported-account.ts'
import { readExport } from '#features/your-data/read-export.ts'
import { tablesOf } from '#platform/database/delete-rows.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { rowKinds } from '../row-kinds.ts'
import { openApplication } from '../testing/application.ts'
import { changedCollections } from '../testing/collections.ts'
import { fillAccount } from '../testing/full-account.ts'
import { noon } from '../testing/random-account.ts'

// An update can bring new forms of a field while pages of the build before are open, and while a process of it still runs.

/** One of each kind of value, none of which means anything anywhere. */
const forms = [{ planted: 'by the next build' }, [{ planted: true }], 'planted by the next build', -12.5]

/** Columns whose values are few and known; beside them, those that hold JSON can have new forms. */
const choices = ['color', 'sort', 'priority', 'state', 'kind', 'reminder_weekdays', 'theme', 'todos_sort']

/** What a row cannot be read without. The timer is answered to each build in the forms that it knows (`older-client.ts`). */
const needed: Record<string, readonly string[]> = {
  habits: ['start_date'],
  pauses: ['habit_id', 'from_day'],
  sessions: ['duration', 'started_at', 'ended_at'],
}

describeEachEngine('Forms of the next build', (openEmpty, engine) => {
  async function filledAccount() {
    const database = await openEmpty()
    const daymark = openApplication(database, { clock: () => noon })
    const { cookie } = await daymark.signUp('Ada')
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await daymark.ask(method, path, { cookie, body })
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
      return answer.body
    }
    await fillAccount(ask, noon)
    return { database, ask }
  }

  test.runIf(engine === 'sqlite')('read as none on a device, and all else in the list as it is', async () => {
    const { ask } = await filledAccount()
    expect(changedCollections.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['todos', 'lists', 'habits', 'pauses', 'focus-sessions', 'preferences']),
    )
    for (const { path, readPath = path, rows, totals } of changedCollections) {
      const answer = await ask('GET', readPath)
      const known = rows(answer)
      const [list = '', value] = rowsIn(answer)
      const first = Array.isArray(value) ? [list, 0] : [list]
      for (const place of placesIn(Array.isArray(value) ? value[0] : value, first)) {
        const field = String(place[first.length])
        for (const form of forms) {
          const planted = withForm(answer, place, form)
          const read = rows(planted)
          totals?.(planted)
          const isGone = field === 'id' || needed[list]?.includes(field)
          const where = `${place.join('.')}: ${JSON.stringify(form)}`
          if (isGone) expect([0, 1], where).toContain(known.length - read.length)
          else expect(read, where).toHaveLength(known.length)
          const others = read.filter((row) => idOf(row) !== idOf(Array.isArray(value) ? value[0] : undefined))
          expect(known, where).toEqual(expect.arrayContaining(field === 'id' ? others.slice(1) : others))
        }
      }
    }
  })

  test.runIf(engine === 'sqlite')('read as none in a file, and what is left out is told', async () => {
    const { ask } = await filledAccount()
    const file = await ask('GET', '/api/export')
    for (const list of [...Object.keys(fileRows), 'preferences']) {
      const value: unknown = Reflect.get(Object(file), list)
      const first = Array.isArray(value) ? [list, 0] : [list]
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
          const rows: unknown = Reflect.get(read.exported, list)
          const gone = Array.isArray(value) && Array.isArray(rows) ? value.length - rows.length : 0
          expect([0, 1], where).toContain(gone)
          if (gone === 0 && JSON.stringify(rows).includes(JSON.stringify(form))) continue
          expect([where, read.unread]).toEqual([where, expect.stringContaining("doesn't know is left out")])
        }
      }
    }
  })

  test('read as none in the database, and everything is answered as before', async () => {
    const { database, ask } = await filledAccount()
    const planted: string[] = []
    for (const form of ['{"planted":true}', '"planted"']) {
      const user = (await database.read.selectFrom('user').select('id').executeTakeFirstOrThrow()).id
      await database.writeFor(user, ['todos', 'habits'], async (tx) => {
        for (const table of new Set([...tablesOf(rowKinds), 'preferences'])) {
          const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(tx)
          for (const [column, value] of rows.flatMap(Object.entries).filter(mayHaveNewForms)) {
            const next = typeof value === 'number' ? 9 : form
            await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${next}
              where ${sql.ref(column)} is not null`.execute(tx)
            planted.push(`${table}.${column}`)
          }
        }
      })
      for (const view of views) await answered(ask('GET', view))
    }
    expect(planted).toEqual(
      expect.arrayContaining([
        'todos.repeat',
        'todos.reminder',
        'todos.tags',
        'rhythms.rhythm',
        'rhythms.target',
      ]),
    )
  })
})

const days = 'from=2026-11-01&to=2026-11-20'
const views = [
  ...['/api/lists', '/api/todos', '/api/todos?done=recent', '/api/todos/completed?range=all', '/api/tags'],
  ...['/api/habits', '/api/pauses', `/api/habits/completed?${days}`, `/api/focus?${days}`],
  ...[`/api/focus/subjects?${days}`, '/api/preferences', '/api/export'],
]

function mayHaveNewForms([column, value]: [string, unknown]): boolean {
  return choices.includes(column) ? value !== null : typeof value === 'string' && /^[[{]/.test(value)
}

/** A choice that is not known is passed on: whoever reads it reads none. Here, the declared answers are compared with it. */
async function answered(asked: Promise<unknown>): Promise<void> {
  await asked.catch((error: unknown) => {
    if (!(error instanceof z.core.$ZodError)) throw error
  })
}

type Place = readonly (string | number)[]

/** The list of an answer, or the one row in it. */
function rowsIn(answer: unknown): [list: string, rows: unknown] {
  const parts = Object.entries(Object(answer))
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

function withForm(answer: unknown, place: Place, form: unknown): unknown {
  const planted = structuredClone(answer)
  const holder = place.slice(0, -1).reduce((value, step) => Reflect.get(Object(value), step), planted)
  Reflect.set(Object(holder), place.at(-1) ?? '', form)
  return planted
}
