import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { focusSessionCollection } from '#features/focus/sessions/focus-session-collection.ts'
import { withOwnSessions } from '#features/habits/habit/own-sessions.ts'
import { habitCollection } from '#features/habits/habit/web/habit-queries.ts'
import type { ImportPiece } from '#features/your-data/exported-account.ts'
import { splitIntoPieces } from '#features/your-data/pieces.ts'
import { readExport } from '#features/your-data/read-export.ts'
import type { Database } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describeEachEngine, describePostgresUrl } from '#platform/database/testing/engines.ts'
import { newPath } from '#platform/database/testing/sqlite-file.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { runs } from '#testing/runs.ts'
import { type Application, openApplication } from '../testing/application.ts'
import { type Ask, live, noon, step, today } from '../testing/random-account.ts'

const year = 'from=2025-10-01&to=2026-11-22'
/** Everything that a person sees of their data. */
const views = [
  '/api/lists',
  '/api/todos',
  '/api/todos?done=recent',
  `/api/todos/completed?${year}`,
  '/api/todos/completed?range=all&search=a',
  '/api/habits',
  `/api/habits/completed?${year}`,
  '/api/habits/completed/count',
  `/api/focus?${year}`,
  `/api/focus/completed?${year}`,
  '/api/preferences',
]

async function expectTheSameElsewhere(from: Database, to: Database, deep: number, quick: number) {
  const clock = () => noon
  const [here, elsewhere] = [openApplication(from, { clock }), openApplication(to, { clock })]
  let people = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 20 }),
      fc.constantFrom(1, 700, undefined),
      fc.infiniteStream(fc.nat()),
      async (steps, most, order) => {
        people += 1
        const askHere = await signedIn(here, people)
        const askElsewhere = await signedIn(elsewhere, people)
        await live(askHere, steps)

        const seen = await lookAt(askHere)
        const reading = readExport(JSON.stringify(await askHere('GET', '/api/export')))
        if (!('exported' in reading)) throw new Error(reading.problem)
        const pieces = splitIntoPieces(reading.exported, true, most)
        const named = newRowId(noon, randomBytes(10))
        for (const piece of shuffled(pieces, order)) {
          await askElsewhere('POST', '/api/import', { ...piece, import: { id: named, source: 'daymark' } })
        }
        expect(await lookAt(askElsewhere)).toEqual(seen)
        expect(await askElsewhere('GET', '/api/export')).toEqual(reading.exported)
      },
    ),
    { numRuns: runs(deep, quick) },
  )
}

/** What happened on the days of habits comes in any order once they are there; the rest in the order of the file. */
function shuffled(pieces: readonly ImportPiece[], order: IterableIterator<number>): ImportPiece[] {
  const lists = ['completions', 'skips', 'notes', 'amounts', 'focus']
  const isOfDays = (piece: ImportPiece) => Object.keys(piece).every((list) => lists.includes(list))
  const ofDays = pieces.filter(isOfDays).map((piece) => ({ piece, place: order.next().value }))
  return [
    ...pieces.filter((piece) => !isOfDays(piece)),
    ...ofDays.toSorted((a, b) => a.place - b.place).map(({ piece }) => piece),
  ]
}

async function signedIn(daymark: Application, nth: number): Promise<Ask> {
  const { cookie } = await daymark.signUp(`Ada${nth}`)
  return async (method, path, body) => {
    const asked = await daymark.ask(method, path, { cookie, body })
    expect(asked.status, JSON.stringify(asked.body)).toBeLessThan(300)
    return asked.body
  }
}

async function lookAt(ask: Ask): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {}
  for (const view of views) seen[view] = withoutSums(await ask('GET', view))
  const own = focusSessionCollection.rows(await ask('GET', `/api/focus?${year}`))
  const shown = habitCollection.rows(await ask('GET', '/api/habits'))
  seen['starts on a device'] = shown.map((habit) => withOwnSessions(habit, own, today).start_date)
  return seen
}

/**
 * How far back the occurrences of a to-do are summed up depends on when they were written last. The day on which a habit begins is
 * chosen anew by an import, and its sessions are given to it anew: what moved it is no longer known.
 */
function withoutSums(body: unknown): unknown {
  const names = ['settled', 'settled_from', 'done_before', 'missed_before', 'chosen_start']
  return JSON.parse(JSON.stringify(body), (name, value) => {
    if (name === 'sessions') return value.map(({ at, ...session }: { at?: unknown }) => session)
    return names.includes(name) ? undefined : value
  })
}

describeEachEngine('moving an account to another Daymark', (openEmpty) => {
  it('keeps the same lists, streaks, totals and preferences', async () => {
    await expectTheSameElsewhere(await openEmpty(), await openEmpty(), 300, 2)
  })
})

describePostgresUrl('moving an account between the engines', (emptyUrl) => {
  describe('keeps the same lists, streaks, totals and preferences', () => {
    it.each(['from SQLite to PostgreSQL', 'from PostgreSQL to SQLite'])('%s', async (direction) => {
      const sqlite = await openDatabase(`sqlite:${newPath()}`)
      const postgres = await openDatabase(await emptyUrl())
      try {
        const [from, to] = direction.startsWith('from SQLite') ? [sqlite, postgres] : [postgres, sqlite]
        await expectTheSameElsewhere(from, to, 300, 2)
      } finally {
        await sqlite.close()
        await postgres.close()
      }
    })
  })
})
