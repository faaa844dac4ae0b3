import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { addingMinutes, HabitLife, step } from '#features/habits/testing/habit-life.ts'
import type { Database } from '#platform/database/database.ts'
import { purgeDeleted } from '#platform/database/rows/delete-rows.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { byPosition } from '#platform/order/position.ts'
import { runs } from '../../../testing/runs.ts'
import { rowKinds } from '../row-kinds.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`

type Ask = (method: string, path: string, body?: object) => ReturnType<Application['ask']>

interface Row {
  id: string
  position: string
  created_at: string
}

/** A collection as it was read, with the ETag by which a device asks what has changed since. */
interface Reading {
  tag: string
  rows: Row[]
}

const byCreation = (one: Row, other: Row) =>
  one.created_at === other.created_at ? byText(one.id, other.id) : byText(one.created_at, other.created_at)

function byText(one: string, other: string): number {
  return one < other ? -1 : 1
}

function idOf(row: { id: string }): string {
  return row.id
}

/** The collections that are read by revision here, and their order. */
const collections = { habits: byPosition, pauses: byCreation, lists: byPosition } as const
type Name = keyof typeof collections
const names = ['habits', 'pauses', 'lists'] as const

/** Reads whole collections, and what has changed in them. */
class Reader {
  readonly #ask: Ask
  #asked = 0
  /** How many answers held only what had changed. */
  changesRead = 0

  constructor(ask: Ask) {
    this.#ask = ask
  }

  async whole(name: Name): Promise<Reading> {
    // Another address each time, so that no cache answers.
    this.#asked += 1
    const { status, body, headers } = await this.#ask('GET', `/api/${name}?asked=${this.#asked}`)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('since')
    return { tag: tagOf(headers), rows: body[name] }
  }

  /** What a device has that has read the collection before. */
  async later(name: Name, before: Reading): Promise<Reading> {
    const { status, body, headers } = await this.#ask(
      'GET',
      `/api/${name}?since=${encodeURIComponent(before.tag)}`,
    )
    expect(status).toBe(200)
    const tag = tagOf(headers)
    if (!('since' in body)) return { tag, rows: body[name] }
    expect(body.since).toBe(before.tag)
    this.changesRead += 1
    const rows = new Map(before.rows.map((row) => [row.id, row]))
    for (const gone of body.left) rows.delete(gone)
    for (const row of body[name]) rows.set(row.id, row)
    return { tag, rows: [...rows.values()].sort(collections[name]) }
  }
}

function tagOf(headers: Headers): string {
  const tag = headers.get('etag') ?? ''
  expect(tag).not.toBe('')
  return tag.replace(/^W\//, '').replaceAll('"', '')
}

describeEachEngine('habits read by revision', (openEmpty, engine) => {
  let database: Database
  let daymark: Application
  const clock = { now: noon }
  let people = 0
  beforeAll(async () => {
    database = await openEmpty()
    daymark = openApplication(database, { clock: () => clock.now })
  })

  async function someone(): Promise<Ask> {
    clock.now = noon
    people += 1
    const { cookie }: Person = await daymark.signUp(`Ada${people}`)
    return async (method, path, body) => {
      if (method !== 'GET') clock.now += 1_000
      return daymark.ask(method, path, { cookie, ...(body && { body }) })
    }
  }

  const path = (number: number) => `/api/habits/${id(number)}`
  const day = '2026-11-12'
  const minutes = { at: 'least', amount: 30_000, unit: 'minutes', per: 'day' }
  const session = (number: number, more: object) => ({
    id: id(number),
    duration: 60,
    ended_at: `${day}T10:00:00.000Z`,
    ...more,
  })
  // What each write sends of the habits 1 to 3: those that it changed, and those that are gone.
  it.each<[string, (ask: Ask) => Promise<unknown>, { sent: number[]; left?: number[] }]>([
    ['a tick', (ask) => ask('POST', `${path(1)}/complete`, { date: day, completed: true }), { sent: [1] }],
    ['a skip', (ask) => ask('PUT', `${path(2)}/days/${day}`, { state: 'skipped' }), { sent: [2] }],
    ['a note', (ask) => ask('PUT', `${path(2)}/days/${day}`, { note: 'Late' }), { sent: [2] }],
    [
      'a range of days',
      (ask) => ask('DELETE', `${path(1)}/completions?from=${day}&to=${day}`),
      { sent: [1] },
    ],
    [
      'an amount',
      (ask) => ask('POST', `${path(3)}/amounts`, { id: id(9), day, value: 5_000 }),
      { sent: [3] },
    ],
    ['a deleted amount', (ask) => ask('DELETE', `${path(3)}/amounts/${id(10)}`), { sent: [3] }],
    ['a new name', (ask) => ask('PUT', path(2), { name: 'Write' }), { sent: [2] }],
    ['a new rhythm', (ask) => ask('PUT', path(2), { rhythm: { every: 2 }, from_day: day }), { sent: [2] }],
    ['a move', (ask) => ask('PUT', path(2), { position: 'a1' }), { sent: [2] }],
    [
      'an archived habit',
      (ask) => ask('PUT', path(2), { archived_at: `${day}T10:00:00.000Z` }),
      { sent: [2] },
    ],
    [
      'a new habit',
      (ask) => ask('POST', '/api/habits', { id: id(4), name: 'New', start_date: day }),
      { sent: [4] },
    ],
    ['a deleted habit', (ask) => ask('DELETE', path(2)), { sent: [], left: [2] }],
    [
      'a habit that was deleted and restored',
      async (ask) => {
        await ask('DELETE', path(2))
        await ask('POST', `${path(2)}/restore`)
      },
      { sent: [2] },
    ],
    [
      'a habit that came and went',
      async (ask) => {
        await ask('POST', '/api/habits', { id: id(4), name: 'New', start_date: day })
        await ask('DELETE', path(4))
      },
      { sent: [], left: [4] },
    ],
    ['focus on it', (ask) => ask('POST', '/api/focus', session(11, { habit_id: id(3) })), { sent: [3] }],
    ['longer focus on it', (ask) => ask('PUT', `/api/focus/${id(12)}`, { duration: 120 }), { sent: [3] }],
    [
      'focus that was on another',
      (ask) => ask('PUT', `/api/focus/${id(12)}`, { habit_id: id(1) }),
      { sent: [1, 3] },
    ],
    ['focus that is deleted', (ask) => ask('DELETE', `/api/focus/${id(12)}`), { sent: [3] }],
    ['focus on nothing', (ask) => ask('POST', '/api/focus', session(11, {})), { sent: [] }],
    [
      'its pause',
      (ask) => ask('POST', '/api/pauses', { id: id(13), habit_id: id(1), from_day: day }),
      { sent: [1] },
    ],
    ['the end of its pause', (ask) => ask('PUT', `/api/pauses/${id(14)}`, { to_day: day }), { sent: [2] }],
    ['its pause that is deleted', (ask) => ask('DELETE', `/api/pauses/${id(14)}`), { sent: [2] }],
    [
      'a change of another collection',
      (ask) => ask('POST', '/api/lists', { id: id(15), name: 'Home' }),
      { sent: [] },
    ],
    [
      'several writes',
      async (ask) => {
        await ask('POST', `${path(1)}/complete`, { date: day, completed: true })
        await ask('POST', '/api/focus', session(11, {}))
        await ask('DELETE', path(2))
      },
      { sent: [1], left: [2] },
    ],
  ])('are sent alone after %s', async (_, write, { sent, left = [] }) => {
    const ask = await withHabits()
    const { tag } = await new Reader(ask).whole('habits')
    await write(ask)
    const { body } = await ask('GET', `/api/habits?since=${encodeURIComponent(tag)}`)
    const numbers = (ids: string[]) => ids.map((each) => Number(each.slice(-2))).sort()
    expect({
      since: body.since,
      sent: numbers(body.habits.map(idOf)),
      left: numbers(body.left ?? ['none']),
    }).toEqual({
      since: tag,
      sent,
      left,
    })
  })

  it.each<[string, (ask: Ask) => Promise<unknown>]>([
    ['a pause of all', (ask) => ask('POST', '/api/pauses', { from_day: day })],
    ['another first day of the week', (ask) => ask('PATCH', '/api/preferences', { week_start: 7 })],
    ['an import', (ask) => ask('POST', '/api/import', { habits: [] })],
  ])('are all sent after %s', async (_, write) => {
    const ask = await withHabits()
    const { tag } = await new Reader(ask).whole('habits')
    await write(ask)
    const { body } = await ask('GET', `/api/habits?since=${encodeURIComponent(tag)}`)
    expect(body).not.toHaveProperty('since')
    expect(body.habits.map(idOf).sort()).toEqual([id(1), id(2), id(3)])
  })

  it('are all sent once more habits have changed than are read at once', async () => {
    const ask = await withHabits()
    const { tag } = await new Reader(ask).whole('habits')
    for (let number = 100; number < 202; number += 1) {
      await ask('POST', '/api/habits', { id: id(number), name: `Habit ${number}`, start_date: day })
    }
    const { body } = await ask('GET', `/api/habits?since=${encodeURIComponent(tag)}`)
    expect(body).not.toHaveProperty('since')
    expect(body.habits).toHaveLength(105)
  })

  it('are sent with the neighbours whose places had to become shorter', async () => {
    const ask = await withHabits()
    const reader = new Reader(ask)
    const long = `a0${'V'.repeat(58)}`
    await ask('PUT', path(1), { position: long })
    const before = await reader.whole('habits')
    await ask('PUT', path(2), { position: `${long}V` })
    const later = await reader.later('habits', before)
    expect(reader.changesRead).toBe(1)
    expect(later).toEqual(await reader.whole('habits'))
    expect(Math.max(...later.rows.map(({ position }) => position.length))).toBeLessThan(60)
  })

  it('look the same alone as beside others of which earlier days are sent', async () => {
    const ask = await withHabits()
    const glasses = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }
    await ask('POST', '/api/habits', { id: id(4), name: 'Drink', start_date: '2026-09-01', target: glasses })
    await ask('POST', '/api/habits', { id: id(5), name: 'Play', start_date: '2026-09-01', target: minutes })
    for (const day of ['2026-10-29', '2026-11-18'])
      await ask('POST', `${path(4)}/amounts`, { day, value: 1_000 })
    await ask('PUT', path(4), { target: minutes })
    const reader = new Reader(ask)
    const before = await reader.whole('habits')
    await ask('PUT', path(4), { name: 'Sit' })
    expect(await reader.later('habits', before)).toEqual(await reader.whole('habits'))
    expect(reader.changesRead).toBe(1)
  })

  async function purge(): Promise<void> {
    for (const kind of rowKinds) await purgeDeleted(database, kind, clock.now + 1)
  }

  /** Three habits, of which the third counts focus, with an entry and a session, and the second is paused. */
  async function withHabits(): Promise<Ask> {
    const ask = await someone()
    for (const number of [1, 2, 3]) {
      const target = number === 3 ? minutes : 'yes'
      await ask('POST', '/api/habits', { id: id(number), name: 'Read', start_date: '2026-11-01', target })
    }
    await ask('POST', `${path(3)}/amounts`, { id: id(10), day, value: 5_000 })
    await ask('POST', '/api/focus', session(12, { habit_id: id(3) }))
    await ask('POST', '/api/pauses', { id: id(14), habit_id: id(2), from_day: day })
    return ask
  }

  it('are what a whole read says, whatever was written since an earlier one', async () => {
    let changesRead = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 24, size: 'max' }), async (all) => {
        const ask = await someone()
        const life = new HabitLife(ask, clock, purge)
        const reader = new Reader(ask)
        const started = { ...addingMinutes, rhythm: { every: 1 } }
        for (const which of [0, 1, 2]) await life.take({ ...started, back: which * 30, flag: which === 1 })
        await life.take({ ...started, does: 'add a list' })
        const earlier = new Map<Name, Reading[]>()
        for (const name of names) earlier.set(name, [await reader.whole(name)])
        for (const [place, each] of all.entries()) {
          await life.take(each)
          for (const name of names) {
            const known = earlier.get(name) ?? []
            // Reading a whole list may store sums. What changed may be read before, or after.
            const first = place % 2 === 0 ? await reader.whole(name) : undefined
            const later: Reading[] = []
            for (const before of known) later.push(await reader.later(name, before))
            const whole = first ?? (await reader.whole(name))
            for (const found of later) expect(found, `${name} after '${each.does}'`).toEqual(whole)
            // A device goes on with what it put together.
            earlier.set(name, [...known.slice(0, 1), ...known.slice(-2), later.at(-1) ?? whole].slice(-4))
          }
        }
        changesRead += reader.changesRead
      }),
      { numRuns: runs(200, engine === 'sqlite' ? 3 : 2) },
    )
    expect(changesRead).toBeGreaterThan(0)
  })
})
