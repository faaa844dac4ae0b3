import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { addDays, type Day, instantToWire } from '#platform/calendar/day.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'

export const today = '2026-11-20' as Day
export const noon = Date.parse(`${today}T12:00:00Z`)

const ago = fc.integer({ min: 0, max: 400 * 24 * 60 }).map((minutes) => noon - minutes * 60_000)
const dayAgo = fc
  .oneof(fc.integer({ min: -1, max: 20 }), fc.integer({ min: 0, max: 400 }))
  .map((days) => addDays(today, -days))
const words = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter((text) => text.trim() !== '' && !text.includes('\0'))
/** Positions; some are equal, and some are too long to be stored unchanged. */
const position = fc.oneof(
  fc.constantFrom('a0', 'a1', 'Zz', 'hzUOUgDEK4N2e27QI12zvV'),
  fc.integer({ min: 50, max: 240 }).map((length) => `a0${'k'.repeat(length)}`),
)
const rule = fc.record({
  freq: fc.constantFrom('day', 'week', 'month', 'year'),
  every: fc.integer({ min: 1, max: 9 }),
  mode: fc.constantFrom('due', 'done'),
  from: dayAgo,
})
const target = fc.constantFrom(
  { at: 'least', amount: 2_000, unit: 'min', per: 'day' },
  { at: 'most', amount: 2_000, unit: 'cups', per: 'week' },
)
const settled = fc.record({ day: dayAgo, state: fc.constantFrom('done', 'skipped', 'open'), at: ago })
/** One action of a person. */
export const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      name: words,
      color: fc.integer({ min: 1, max: 6 }),
      sort: fc.constantFrom('manual', 'due', 'priority', 'newest'),
      archived: fc.option(ago),
      at: ago,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      of: fc.constantFrom('/api/lists', '/api/todos'),
      which: fc.nat(),
      below: fc.nat(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('todo' as const),
      title: words,
      list: fc.nat(),
      at: ago,
      due: fc.option(dayAgo),
      remind: fc.option(ago),
      before: fc.option(
        fc.record({
          days_before: fc.integer({ min: 0, max: 366 }),
          time: fc.integer({ min: 0, max: 1439 }),
        }),
      ),
      moved: fc.option(position),
      done: fc.option(fc.record({ day: dayAgo, at: ago })),
      note: fc.oneof(fc.constant(''), words),
      priority: fc.integer({ min: 0, max: 3 }),
      estimate: fc.option(fc.integer({ min: 1, max: 5_999 })),
      tags: fc.array(fc.constantFrom('work', 'Work', 'home', 'Ärger'), { maxLength: 3 }),
      parent: fc.nat(),
      repeat: fc.option(rule, { freq: 3 }),
      settled: fc.array(settled, { maxLength: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('tag' as const),
      tag: fc.constantFrom('work', 'home'),
      to: fc.constantFrom('Job', 'home'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('habit' as const),
      name: words,
      description: fc.oneof(fc.constant(''), words),
      frequency: fc.constantFrom('daily', 'weekly'),
      start: dayAgo,
      reminder: fc.option(
        fc.record({
          time: fc.integer({ min: 0, max: 1439 }),
          weekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
        }),
      ),
      at: ago,
      target: fc.option(target),
      days: fc.array(dayAgo, { maxLength: 12 }),
      takenBack: fc.array(dayAgo, { maxLength: 3 }),
      entered: fc.array(fc.record({ day: dayAgo, value: fc.nat({ max: 5_000 }), at: ago }), { maxLength: 4 }),
      begins: fc.option(fc.record({ day: dayAgo, at: ago })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('focus' as const),
      habit: fc.nat(),
      ended: ago,
      duration: fc.integer({ min: 1, max: 86_400 }),
      pauses: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 48 * 60 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('preferences' as const),
      time_zone: fc.constantFrom('America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati', 'UTC'),
      day_start: fc.integer({ min: 0, max: 360 }),
      week_start: fc.integer({ min: 1, max: 7 }),
      theme: fc.constantFrom('system', 'light', 'dark'),
      todos_sort: fc.constantFrom('manual', 'due', 'priority', 'newest'),
      start_page: fc.constantFrom('todos', 'today'),
      focus_plan: fc.record({
        focus: fc.integer({ min: 1, max: 240 }),
        break: fc.integer({ min: 1, max: 120 }),
        long_break: fc.integer({ min: 1, max: 120 }),
        every: fc.integer({ min: 1, max: 12 }),
        auto_start: fc.boolean(),
      }),
    }),
  },
)
export type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never
export type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>

/** Performs the steps as a client would. */
export async function live(ask: Ask, steps: readonly Step[]): Promise<void> {
  const rows: string[] = []
  const made = (path: string, at: number) => {
    const id = newRowId(at, randomBytes(10))
    rows.push(`${path}/${id}`)
    return id
  }
  for (const step of steps) {
    if (step.kind === 'list') {
      const { name, color, sort, archived } = step
      const archived_at = archived === null ? null : instantToWire(archived)
      const at = instantToWire(step.at)
      const id = made('/api/lists', step.at)
      await ask('POST', '/api/lists', { id, name, color, sort, archived_at, at })
    } else if (step.kind === 'move') {
      const alike = rows.filter((row) => row.startsWith(step.of))
      const [row, below] = [alike[step.which % alike.length], alike[step.below % alike.length]]
      if (row === undefined || below === undefined) continue
      // Only ten different positions, so that moves often go to the same one.
      const body = { position: `a${alike.indexOf(below) % 10}` }
      await ask('PUT', step.of === '/api/todos' ? `${row}/edit` : row, body)
    } else if (step.kind === 'todo') {
      const lists = rows.filter((row) => row.startsWith('/api/lists'))
      // The list may be deleted later: a to-do still names it then.
      const list_id = lists[step.list % (lists.length + 1)]?.split('/').at(-1) ?? null
      const id = made('/api/todos', step.at)
      const at = instantToWire(step.at)
      const remind_at = step.remind === null ? null : instantToWire(step.remind)
      const due = { due_day: step.due, remind_at, reminder: step.before }
      const position = step.moved ?? undefined
      const { title, note, priority, estimate, tags } = step
      const others = rows.filter((row) => row.startsWith('/api/todos'))
      // Sometimes the parent is the to-do itself, or a subtask, or is deleted later.
      const parent_id = others[step.parent % (others.length * 3)]?.split('/').at(-1) ?? null
      const details = { note, priority, estimate, tags, parent_id }
      await ask('POST', '/api/todos', { id, title, completed: 0, ...due, list_id, position, ...details, at })
      if (step.done) {
        const { day, at: doneAt } = step.done
        const change = { completed: 1, day, at: instantToWire(Math.max(step.at, doneAt)) }
        await ask('PUT', `/api/todos/${id}`, change)
      }
      if (step.repeat) await ask('PUT', `/api/todos/${id}/edit`, { repeat: step.repeat, at })
      for (const { day, state, at: settledAt } of step.settled) {
        const change = { state, at: instantToWire(settledAt) }
        if (step.repeat) await ask('PUT', `/api/todos/${id}/days/${day}`, change)
      }
    } else if (step.kind === 'tag') await ask('PUT', `/api/tags/${step.tag}`, { tag: step.to })
    else if (step.kind === 'habit') {
      const id = made('/api/habits', step.at)
      const { name, description, frequency, reminder, start: start_date } = step
      const at = instantToWire(step.at)
      const target = step.target ?? 'yes'
      await ask('POST', '/api/habits', { id, name, description, frequency, start_date, reminder, target, at })
      for (const date of step.days) await ask('POST', `/api/habits/${id}/complete`, { date, completed: true })
      for (const date of step.takenBack) {
        await ask('POST', `/api/habits/${id}/complete`, { date, completed: false })
      }
      for (const { day, value, at } of step.entered) {
        const entry = { day, value, set: true, at: instantToWire(at) }
        if (step.target) await ask('POST', `/api/habits/${id}/amounts`, entry)
      }
      // Days before the new start stay, but do not count.
      if (step.begins) {
        const { day, at } = step.begins
        await ask('PUT', `/api/habits/${id}`, { start_date: day, at: instantToWire(at) })
      }
    } else if (step.kind === 'focus') {
      const started = step.ended - step.duration * 1000 - step.pauses * 60_000
      const habits = rows.filter((row) => row.startsWith('/api/habits'))
      const habit_id = habits[step.habit % (habits.length + 1)]?.split('/').at(-1) ?? null
      await ask('POST', '/api/focus', {
        id: made('/api/focus', step.ended),
        duration: step.duration,
        habit_id,
        started_at: instantToWire(started),
        ended_at: instantToWire(step.ended),
      })
    } else if (step.kind === 'delete') {
      const row = rows.splice(step.which % Math.max(1, rows.length), 1)[0]
      if (row !== undefined) await ask('DELETE', row)
    } else {
      const { kind, ...change } = step
      await ask('PATCH', '/api/preferences', change)
    }
  }
}
