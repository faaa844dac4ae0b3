import fc from 'fast-check'
import { expect } from 'vitest'
import { addDays, dayOf, instantToWire } from '#platform/calendar/day.ts'
import { exportedHabit } from './habits.ts'
import { someRhythm, someTarget, someWeekStart } from './some-habit.ts'

type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>

const aDay = 86_400_000
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`

const steps = [
  ...['add a habit', 'tick', 'tick', 'say of a day', 'say of a day', 'toggle', 'take back a range', 'enter'],
  ...['enter', 'remove an entry', 'restore an entry', 'hold', 'hold', 'edit', 'begin', 'archive', 'move'],
  ...[
    'move far',
    'delete',
    'restore',
    'focus',
    'focus',
    'focus on another',
    'focus longer',
    'delete a session',
  ],
  ...[
    'restore a session',
    'pause',
    'pause all',
    'move a pause',
    'delete a pause',
    'restore a pause',
    'import',
  ],
  ...['undo an import', 'add a list', 'change a list', 'delete a list', 'week start', 'days pass', 'purge'],
] as const

export const step = fc.record({
  does: fc.constantFrom(...steps),
  which: fc.nat({ max: 7 }),
  other: fc.nat({ max: 7 }),
  back: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 41, max: 450 })),
  length: fc.nat({ max: 40 }),
  value: fc.integer({ min: 1, max: 30 }),
  flag: fc.boolean(),
  rhythm: someRhythm,
  target: someTarget,
  weekStart: someWeekStart,
  /** How many minutes after the change it arrives. */
  late: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 90 })),
})
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never

/** A person with habits, and how they change them, and what habits depend on, through the API. */
export class HabitLife {
  readonly #ask: Ask
  /** Deletes for good what has been deleted. */
  readonly #purge: () => Promise<unknown>
  readonly #clock: { now: number }
  readonly #made = new Map<string, string[]>()
  #ids = 0

  constructor(ask: Ask, clock: { now: number }, purge: () => Promise<unknown>) {
    this.#purge = purge
    this.#clock = clock
    this.#ask = ask
  }

  #new(kind: string): string {
    this.#ids += 1
    const made = id(this.#ids)
    this.#made.set(kind, [...(this.#made.get(kind) ?? []), made])
    return made
  }

  #one(kind: string, which: number): string {
    const made = this.#made.get(kind) ?? []
    return made[which % made.length] ?? id(0)
  }

  async take({ does, which, other, back, length, value, flag, ...step }: Step): Promise<void> {
    const clock = this.#clock
    const date = dayOf(clock.now, 'UTC', 0)
    const day = addDays(date, -back)
    const at = instantToWire(clock.now - step.late * 60_000)
    const habit = this.#one('habit', which)
    const ofHabit = `/api/habits/${habit}`
    const entry = `/api/habits/${this.#one('entered', other)}/amounts/${this.#one('entry', other)}`
    const session = `/api/focus/${this.#one('session', other)}`
    const pause = `/api/pauses/${this.#one('pause', other)}`
    const list = `/api/lists/${this.#one('list', other)}`
    const { rhythm, target } = step
    const ask = async (method: string, path: string, body?: object) => {
      const { status, body: response } = await this.#ask(method, path, body)
      // A row may be unknown, deleted or full. No step is wrong.
      expect([200, 201, 204, 404], `${does}: ${JSON.stringify(response)}`).toContain(status)
    }
    const remove = (path: string) => ask('DELETE', `${path}?at=${encodeURIComponent(at)}`)
    const restore = (path: string) => ask('POST', `${path}/restore?at=${encodeURIComponent(at)}`)
    switch (does) {
      case 'add a habit': {
        const id = this.#new('habit')
        const fields = { name: `Habit ${id}`, start_date: day, rhythm, target: flag ? target : 'yes' }
        return ask('POST', '/api/habits', { id, ...fields, at })
      }
      case 'tick':
        return ask('POST', `${ofHabit}/complete`, { date: day, completed: flag || value > 10, at })
      case 'say of a day': {
        const state = (['done', 'skipped', 'none'] as const)[value % 3]
        const note = flag ? `Note ${value}` : undefined
        return ask('PUT', `${ofHabit}/days/${addDays(date, -length)}`, { state, note, at })
      }
      case 'toggle':
        return ask('POST', `${ofHabit}/complete`)
      case 'take back a range':
        return ask('DELETE', `${ofHabit}/completions?from=${addDays(day, -length)}&to=${day}`)
      case 'enter': {
        const id = this.#new('entry')
        this.#made.set('entered', [...(this.#made.get('entered') ?? []), habit])
        return ask('POST', `${ofHabit}/amounts`, { id, day, value, set: flag, at })
      }
      case 'remove an entry':
        return remove(entry)
      case 'restore an entry':
        return restore(entry)
      case 'hold':
        return ask('PUT', ofHabit, { from_day: day, target, ...(flag && { rhythm }), at })
      case 'edit':
        return ask('PUT', ofHabit, { name: `Name ${value}`, at })
      case 'begin':
        return ask('PUT', ofHabit, { start_date: day, at })
      case 'archive':
        return ask('PUT', ofHabit, { archived_at: flag ? null : `${day}T08:00:00.000Z`, at })
      case 'move':
        return ask('PUT', ofHabit, { position: `a${value % 10}`, at })
      case 'move far': {
        // So long that the server shortens it, and perhaps the places of neighbours.
        const position = `a0${(flag ? 'V' : 'z').repeat(56 + length)}`
        return ask('PUT', value % 2 === 0 ? ofHabit : list, { position, at })
      }
      case 'delete':
        return remove(ofHabit)
      case 'restore':
        return restore(ofHabit)
      case 'focus': {
        const id = this.#new('session')
        const days = [{ day, seconds: value * 60 }]
        const ended_at = `${day}T11:00:00.000Z`
        const habit_id = flag || value > 10 ? habit : null
        return ask('POST', '/api/focus', {
          id,
          kind: 'countdown',
          duration: value * 60,
          ended_at,
          days,
          habit_id,
          at,
        })
      }
      case 'focus on another':
        return ask('PUT', session, { habit_id: flag ? habit : null, at })
      case 'focus longer':
        return ask('PUT', session, { duration: value * 60, at })
      case 'delete a session':
        return remove(session)
      case 'restore a session':
        return restore(session)
      case 'pause':
      case 'pause all': {
        const id = this.#new('pause')
        const to_day = flag ? null : addDays(day, length)
        const habit_id = does === 'pause' ? habit : null
        return ask('POST', '/api/pauses', { id, habit_id, from_day: day, to_day, at })
      }
      case 'move a pause':
        return ask('PUT', pause, { [flag ? 'from_day' : 'to_day']: day, at })
      case 'delete a pause':
        return remove(pause)
      case 'restore a pause':
        return restore(pause)
      case 'import': {
        const { completions, skips, notes, amounts, ...row } = exportedHabit({
          id: flag ? habit : this.#new('habit'),
          start_date: day,
        })
        const days = [date, day, addDays(day, length)].filter((each) => each <= date)
        const piece = { habits: [row], completions: [{ habit_id: row.id, days: [...new Set(days)] }] }
        const ofImport = { id: this.#new('import'), source: 'todoist', file: 'habits.csv' }
        return ask('POST', '/api/import', { ...piece, import: ofImport })
      }
      case 'undo an import':
        return ask('POST', `/api/imports/${this.#one('import', other)}/undo`)
      case 'add a list':
        return ask('POST', '/api/lists', { id: this.#new('list'), name: `List ${value}`, at })
      case 'change a list':
        return ask('PUT', list, flag ? { name: `Name ${value}`, at } : { position: `a${value % 10}`, at })
      case 'delete a list':
        return flag ? remove(list) : restore(list)
      case 'week start':
        return ask('PATCH', '/api/preferences', { week_start: step.weekStart })
      case 'days pass':
        clock.now += (1 + (value % 2)) * aDay
        return
      case 'purge':
        await this.#purge()
    }
  }
}

/** Adds a habit to which focus counts if `flag` is set. */
export const addingMinutes: Step = {
  does: 'add a habit',
  which: 0,
  other: 0,
  back: 0,
  length: 0,
  value: 1,
  flag: false,
  rhythm: { every: 1 },
  target: { at: 'least', amount: 10, unit: 'minutes', per: 'day' },
  weekStart: 1,
  late: 0,
}
