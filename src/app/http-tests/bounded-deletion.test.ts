import { expect, it, vi } from 'vitest'
import { finishDeletions } from '#features/account/ending/server/account-deletion-store.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { countingInto, type Work } from '#platform/database/pacing/work.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { tidy } from '../housekeeping.ts'
import { userTables } from '../row-kinds.ts'
import { openApplication, password } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const day = 24 * 60 * 60 * 1000
/** How much one write does: its rows and the statements around them. */
const mostOfOneWrite = { sqlite: 1_800, postgres: 13_000 }
const completed = 6_000

describeEachEngine('permanently deleting very many rows', (openEmpty, engine) => {
  async function opened() {
    const database = await openEmpty()
    let now = noon
    const daymark = openApplication(database, { clock: () => now })
    const ada = await daymark.signUp('Ada')
    const ask = (method: string, path: string, body?: unknown) =>
      daymark.ask(method, path, { body, cookie: ada.cookie })
    const habit = newRowId(noon, new Uint8Array(10).fill(1))
    const habits = [
      { id: habit, name: 'Read', description: '', frequency: 'daily', start_date: '2001-01-01' },
    ]
    const created_at = new Date(noon).toISOString()
    await ask('POST', '/api/import', { habits: habits.map((each) => ({ ...each, created_at })) })
    const rows = Array.from({ length: completed }, (_, place) => ({
      user_id: ada.id,
      habit_id: habit,
      done: 1 as const,
      changed_at: noon,
      day: addDays('2001-01-01' as Day, place),
    }))
    await database.write(async (tx) => {
      for (const batch of inBatches(rows)) await tx.insertInto('completions').values(batch).execute()
    })
    const pass = (milliseconds: number) => {
      now += milliseconds
    }
    return { database, daymark, ada, ask, habit, pass }
  }

  /** Records each write from here on; `after` runs after each. */
  function countWrites(database: Database, after = async () => {}): Work[] {
    const works: Work[] = []
    for (const name of ['write', 'erase'] as const) {
      const write = database[name]
      vi.spyOn(database, name).mockImplementation(async (run: Parameters<Database['write']>[0]) => {
        const work: Work = { units: 0, cpu: 0 }
        works.push(work)
        const done = await countingInto(work, () => write(run))
        await after()
        return done
      })
    }
    return works
  }

  const mostOf = (works: readonly Work[]) => Math.max(...works.map(({ units }) => units))

  it('an account is deleted a few rows at a time, so that others can write in between', async () => {
    const { database, ask, ada } = await opened()
    const works = countWrites(database)
    expect((await ask('POST', '/api/auth/delete-user', { password })).status).toBe(200)
    expect(mostOf(works)).toBeLessThan(mostOfOneWrite[engine])
    expect(Object.values(await dump(database, ada.id)).flat()).toEqual([])
  })

  it('an interrupted deletion has closed the account, and the next cleanup finishes it', async () => {
    const { database, daymark, ask, ada } = await opened()
    let writes = 0
    const { erase } = database
    const breaking = vi.spyOn(database, 'erase').mockImplementation((run) => {
      writes += 1
      if (writes === 3) throw new Error('killed')
      return erase(run)
    })
    expect((await ask('POST', '/api/auth/delete-user', { password })).status).toBe(500)
    breaking.mockRestore()
    expect((await dump(database, ada.id)).completions?.length).toBeGreaterThan(0)

    expect((await ask('GET', '/api/todos')).status).toBe(401)
    const body = { email: ada.email, password }
    expect((await daymark.ask('POST', '/api/auth/sign-in/email', { body })).status).toBe(401)
    const again = await daymark.signUp('Ada')
    expect(again.id).not.toBe(ada.id)

    await tidy(database, daymark.auth, noon)
    expect(Object.values(await dump(database, ada.id)).flat()).toEqual([])
    expect((await dump(database, again.id)).user).toHaveLength(1)
    await finishDeletions(database, userTables)
  })

  it('what was deleted 30 days ago goes a few rows at a time, and nothing restores what is half gone', async () => {
    const { database, daymark, ask, habit, ada, pass } = await opened()
    await ask('DELETE', `/api/habits/${habit}`)
    pass(31 * day)
    let restored: number | undefined
    const works = countWrites(database, async () => {
      const left = (await dump(database, ada.id)).completions?.length ?? 0
      if (restored === undefined && left > 0 && left < completed) {
        restored = 0
        restored = (await ask('POST', `/api/habits/${habit}/restore`)).status
      }
    })
    await tidy(database, daymark.auth, noon + 31 * day, { rest: 0 })
    expect(restored).toBe(404)
    expect(mostOf(works)).toBeLessThan(mostOfOneWrite[engine])
    const { habits, completions } = await dump(database, ada.id)
    expect({ habits, completions }).toEqual({ habits: [], completions: [] })
  })
})
