import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { HabitDays } from '#features/habits/rhythm/habit-track.ts'
import { naiveHabit } from '#features/habits/testing/naive-habit.ts'
import { someRhythm, someTarget } from '#features/habits/testing/some-habit.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { openApplication, type TestResponse } from '../testing/application.ts'

// What the analytics cards show, compared with an independent count. That count has only the downloaded file: it shares no
// code with the product's rules of days, weeks and periods. Habits are counted day by day, by the naive rules of the tests.

const minute = 60_000
const dayInMinutes = 24 * 60

// Zones at both ends of the earth, and nights in which clocks move forward and back, by an hour or half an hour, even over
// midnight itself.
const zones = [
  'Europe/Copenhagen',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Niue',
] as const
const nights = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-09-06',
  '2026-09-27',
  '2026-10-04',
  '2026-10-25',
]
const beginning = fc
  .tuple(fc.constantFrom(...nights), fc.integer({ min: -6 * dayInMinutes, max: 0 }))
  .map(([night, minutes]) => Date.parse(night) + minutes * minute)

const which = fc.nat(30)
const daysAgo = fc.integer({ min: 0, max: 30 })
const frequency = fc.constantFrom('daily', 'weekly')
/** What a habit is to be: as the specification says it, or any rhythm and target. */
const holds = fc.oneof(
  fc.record({ frequency }),
  fc.record({ rhythm: someRhythm }),
  fc.record({ rhythm: someRhythm, target: someTarget }),
)
const move = fc.record({
  kind: fc.constant('move' as const),
  time_zone: fc.constantFrom(...zones),
  day_start: fc.oneof(fc.constantFrom(0, 360), fc.integer({ min: 0, max: 360 })),
  week_start: fc.integer({ min: 1, max: 7 }),
})
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('todo' as const),
      completed: fc.constantFrom(0, 1, 1),
      ago: fc.integer({ min: 0, max: 3 * dayInMinutes }),
      /** As an offline device sends it; otherwise the server decides. */
      day: fc.option(daysAgo),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('complete' as const), which, completed: fc.constantFrom(0, 1) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('habit' as const), holds, started: daysAgo }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rhythm' as const), which, holds, from: fc.option(daysAgo) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('skip' as const), which, ago: daysAgo }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('amount' as const),
      which,
      ago: daysAgo,
      value: fc.integer({ min: 1, max: 20 }),
      set: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pause' as const),
      which,
      ago: daysAgo,
      days: fc.option(fc.nat(9)),
      ofAll: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('archive' as const), which, use: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('toggle' as const), which }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('day' as const), which, ago: daysAgo, completed: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('focus' as const),
      minutes: fc.oneof(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 1, max: 600 })),
      ago: fc.integer({ min: 0, max: 3 * dayInMinutes }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('delete' as const, 'delete' as const, 'restore' as const),
      of: fc.constantFrom('todos' as const, 'habits' as const, 'focus' as const),
      which,
    }),
  },
  { weight: 2, arbitrary: move },
)
const steps = fc.array(
  fc.record({
    after: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 2 * dayInMinutes })),
    step,
  }),
  { minLength: 12, maxLength: 30, size: 'max' },
)
const askedRange = fc.tuple(fc.integer({ min: -2, max: 10 }), fc.integer({ min: 0, max: 45 }))

describeEachEngine('what the analytics cards show', (openEmpty) => {
  it('equals an independent count of the downloaded file, in which every day is that of the local clock', async () => {
    const database = await openEmpty()
    let now = 0
    const daymark = openApplication(database, { clock: () => now })
    const { id: user, cookie } = await daymark.signUp('Ada')
    const ask = async (method: string, path: string, body?: unknown) => {
      const asked = await daymark.ask(method, path, { cookie, body })
      expect(asked.status).toBeLessThan(500)
      return asked.body
    }

    await fc.assert(
      fc.asyncProperty(beginning, move, steps, askedRange, async (begun, home, steps, [back, length]) => {
        await forget(database, user)
        now = begun
        let wall: Wall = { time_zone: home.time_zone, day_start: home.day_start }
        await ask('PATCH', '/api/preferences', { ...wall, week_start: home.week_start })
        /** The days that rows got when they happened, whatever zone came later. */
        const given = new Map<string, { day: string | null } | { seconds: Record<string, number> }>()
        const ids = { todos: [] as string[], habits: [] as string[], focus: [] as string[] }
        const deleted = new Set<string>()
        const pick = (list: string[], which: number) => list[which % list.length]

        for (const { after, step } of steps) {
          now += after * minute
          const today = dayOnTheWall(now, wall)
          if (step.kind === 'move') {
            wall = { time_zone: step.time_zone, day_start: step.day_start }
            await ask('PATCH', '/api/preferences', { ...wall, week_start: step.week_start })
          } else if (step.kind === 'todo') {
            const at = now - step.ago * minute
            const day = step.day === null ? undefined : daysBefore(today, step.day)
            const body = {
              title: 'Call the plumber',
              completed: step.completed,
              at: new Date(at).toISOString(),
              day,
            }
            const { todo } = await ask('POST', '/api/todos', body)
            ids.todos.push(todo.id)
            given.set(todo.id, { day: step.completed ? (day ?? dayOnTheWall(at, wall)) : null })
          } else if (step.kind === 'complete') {
            const id = pick(ids.todos, step.which)
            if (id === undefined || deleted.has(id)) continue
            await ask('PUT', `/api/todos/${id}`, { completed: step.completed })
            const before = given.get(id)
            // Completed again, it stays on the day of its first completion.
            if (!step.completed) given.set(id, { day: null })
            else if (before && 'day' in before && before.day === null) given.set(id, { day: today })
          } else if (step.kind === 'focus') {
            const ended = now - step.ago * minute
            const body = { duration: step.minutes * 60, ended_at: new Date(ended).toISOString() }
            const { session } = await ask('POST', '/api/focus', body)
            ids.focus.push(session.id)
            given.set(session.id, { seconds: minutesOnTheWall(ended, step.minutes, wall) })
          } else if (step.kind === 'habit') {
            const start_date = daysBefore(today, step.started)
            const { habit } = await ask('POST', '/api/habits', {
              name: 'Stretch',
              ...step.holds,
              start_date,
            })
            ids.habits.push(habit.id)
          } else if ('of' in step) {
            const id = pick(ids[step.of], step.which)
            if (id === undefined) continue
            if (step.kind === 'delete') await ask('DELETE', `/api/${step.of}/${id}`)
            else await ask('POST', `/api/${step.of}/${id}/restore`)
            if (step.kind === 'delete') deleted.add(id)
            else deleted.delete(id)
          } else {
            const id = pick(ids.habits, step.which)
            if (id === undefined) continue
            const path = `/api/habits/${id}`
            if (step.kind === 'rhythm') {
              const from_day = step.from === null ? undefined : daysBefore(today, step.from)
              await ask('PUT', path, { ...step.holds, from_day })
            } else if (step.kind === 'skip') {
              await ask('PUT', `${path}/days/${daysBefore(today, step.ago)}`, { state: 'skipped' })
            } else if (step.kind === 'amount') {
              const { value, set } = step
              await ask('POST', `${path}/amounts`, { day: daysBefore(today, step.ago), value, set })
            } else if (step.kind === 'archive') {
              await ask('PUT', path, { archived_at: step.use ? null : new Date(now).toISOString() })
            } else if (step.kind === 'pause') {
              const from_day = daysBefore(today, step.ago)
              const to_day = step.days === null ? null : daysBefore(from_day, -step.days)
              await ask('POST', '/api/pauses', { habit_id: step.ofAll ? null : id, from_day, to_day })
            } else {
              // Without a body it toggles the current period.
              const body = step.kind === 'day' && {
                date: daysBefore(today, step.ago),
                completed: step.completed,
              }
              await ask('POST', `${path}/complete`, body || undefined)
            }
          }
        }

        const file: AccountFile = await ask('GET', '/api/export')
        for (const list of ['todos', 'habits', 'focus'] as const) {
          const kept = ids[list].filter((id) => !deleted.has(id))
          const rows = list === 'focus' ? file.focus_sessions : file[list]
          expect(rows.map(({ id }) => id).toSorted()).toEqual(kept.toSorted())
        }
        for (const todo of file.todos) expect({ day: todo.completed_on }).toEqual(given.get(todo.id))
        for (const { id, days } of file.focus_sessions) {
          const seconds = Object.fromEntries(days.map(({ day, seconds }) => [day, seconds]))
          expect({ seconds }).toEqual(given.get(id))
        }

        const today = dayOnTheWall(Date.parse(file.exported_at), file.preferences)
        const to = daysBefore(today, back)
        const from = daysBefore(to, length)
        const days = daysBetween(from, to)
        const range = `from=${from}&to=${to}`
        expect(await ask('GET', `/api/todos/completed?${range}`)).toMatchObject(countTodos(file, days))
        expect(await namedTodos(ask, range)).toEqual(completedTodosIn(file, days))
        expect(await ask('GET', `/api/habits/completed?${range}`)).toEqual(countHabits(file, days, today))
        expect(await namedHabits(ask, range)).toEqual(habitsDue(file, days, today))
        expect(await ask('GET', '/api/habits/completed/count')).toEqual(countHabitsOfNow(file, today))
        expect(await ask('GET', `/api/focus/completed?${range}`)).toEqual(countFocus(file, days))
        // And without a range: the person's last 30 days.
        const lastDays = daysBetween(daysBefore(today, 29), today)
        expect(await ask('GET', '/api/todos/completed')).toMatchObject(countTodos(file, lastDays))
        expect(await ask('GET', '/api/habits/completed')).toEqual(countHabits(file, lastDays, today))
        expect(await ask('GET', '/api/focus/completed')).toEqual(countFocus(file, lastDays))
      }),
      { numRuns: runs(300, 3) },
    )
  })
})

/** The downloaded file, as docs/export.md describes it. */
interface AccountFile {
  exported_at: string
  preferences: { time_zone: string; day_start: number; week_start: number }
  todos: { id: string; completed: 0 | 1; completed_at: string | null; completed_on: string | null }[]
  habits: {
    id: string
    name: string
    start_date: string
    archived_at: string | null
    rhythms: HabitDays['rows']
    completions: string[]
    skips: string[]
    amounts: { id: string; day: string; value: number; set: boolean; settles: string[]; at: string }[]
  }[]
  pauses: { habit_id: string | null; from_day: string; to_day: string | null }[]
  focus_sessions: { id: string; duration: number; days: { day: string; seconds: number }[] }[]
}

interface Wall {
  time_zone: string
  day_start: number
}

/** Nothing of the last run is left, not even deleted rows. */
async function forget(database: Database, user: string): Promise<void> {
  await database.write(async (tx) => {
    for (const table of ['todos', 'habits', 'pauses', 'focus_sessions', 'preferences'] as const) {
      await tx.deleteFrom(table).where('user_id', '=', user).execute()
    }
  })
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The date on the local clock, moved back by the day start. */
function dayOnTheWall(instant: number, { time_zone, day_start }: Wall): string {
  let format = formats.get(time_zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: time_zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    formats.set(time_zone, format)
  }
  const shown = Date.parse(`${format.format(instant).replace(' ', 'T')}Z`)
  return new Date(shown - day_start * minute).toISOString().slice(0, 10)
}

/** Minute by minute. */
function minutesOnTheWall(ended: number, minutes: number, wall: Wall): Record<string, number> {
  const seconds: Record<string, number> = {}
  for (let back = minutes; back > 0; back -= 1) {
    const day = dayOnTheWall(ended - back * minute, wall)
    seconds[day] = (seconds[day] ?? 0) + 60
  }
  return seconds
}

function daysBefore(day: string, days: number): string {
  return Temporal.PlainDate.from(day).subtract({ days }).toString()
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = daysBefore(day, -1)) days.push(day)
  return days
}

function countTodos({ todos }: AccountFile, days: string[]) {
  const counted = days.map((day) => ({
    day,
    count: todos.filter((todo) => todo.completed_on === day).length,
  }))
  return { count: total(counted.map(({ count }) => count)), days: counted }
}

function completedTodosIn({ todos }: AccountFile, days: string[]) {
  return todos
    .filter(({ completed_on }) => completed_on !== null && days.includes(completed_on))
    .toSorted((a, b) => (`${a.completed_at}${a.id}` < `${b.completed_at}${b.id}` ? 1 : -1))
    .map(({ id, completed_on }) => ({ id, completed_on }))
}

/** The listed ones, requested from the first and then from every third on: each page lists those that follow. */
async function namedTodos(
  ask: (method: string, path: string) => Promise<TestResponse['body']>,
  range: string,
) {
  const page = async (before: string) => {
    const { todos } = await ask('GET', `/api/todos/completed?${range}${before}`)
    return todos.map(({ id, completed_on }: { id: string; completed_on: string }) => ({ id, completed_on }))
  }
  const all = await page('')
  for (let place = 0; place < all.length; place += 3) {
    expect(await page(`&before=${all[place].id}`)).toEqual(all.slice(place + 1))
  }
  return all
}

/** Each with its name, as the response has it. */
async function namedHabits(
  ask: (method: string, path: string) => Promise<TestResponse['body']>,
  range: string,
) {
  const { habits, days, next } = await ask('GET', `/api/habits/due?${range}`)
  expect(next).toBe(null)
  return days.map(({ day, completed, missed }: { day: string; completed: number[]; missed: number[] }) => ({
    day,
    habits: [
      ...completed.map((place) => ({ place, isCompleted: true })),
      ...missed.map((place) => ({ place, isCompleted: false })),
    ]
      .toSorted((a, b) => a.place - b.place)
      .map(({ place, isCompleted }) => ({ ...habits[place], completed: isCompleted })),
  }))
}

function habitsDue(file: AccountFile, days: string[], today: string) {
  const counted = file.habits.map((habit) => {
    const { id, name } = habit
    const naive = naiveHabit(daysOf(habit, file), today)
    return {
      id,
      name,
      frequency: frequencyOn(habit, today),
      ofDays: naive.counted(days[0] ?? '', days.at(-1) ?? ''),
    }
  })
  return days.map((day) => ({
    day,
    habits: counted.flatMap(({ ofDays, ...habit }) => {
      const { completed, due } = ofDays[day] ?? { completed: 0, due: 0 }
      return Array.from({ length: due }, (_, time) => ({ ...habit, completed: time < completed }))
    }),
  }))
}

/** What the file tells of a habit, for the naive rules. */
function daysOf(habit: AccountFile['habits'][number], { pauses, preferences }: AccountFile): HabitDays {
  const day = (text: string) => text as Day
  const states = [
    ...habit.completions.map((each) => [day(each), 'done'] as const),
    ...habit.skips.map((each) => [day(each), 'skipped'] as const),
  ]
  const own = pauses.filter(({ habit_id }) => habit_id === null || habit_id === habit.id)
  return {
    rows: habit.rhythms,
    startDay: day(habit.start_date),
    archivedOn:
      habit.archived_at === null ? null : day(dayOnTheWall(Date.parse(habit.archived_at), preferences)),
    states: new Map(states),
    amounts: new Map(
      [...Map.groupBy(habit.amounts, (entry) => entry.day)].map(([of, entries]) => [
        day(of),
        amountOn(entries),
      ]),
    ),
    pauses: own.map(({ from_day, to_day }) => ({
      from_day: day(from_day),
      to_day: to_day === null ? null : day(to_day),
    })),
    weekStart: preferences.week_start as WeekStart,
  }
}

function amountOn(entries: AccountFile['habits'][number]['amounts']): number {
  const [set] = entries
    .filter((entry) => entry.set)
    .toSorted((a, b) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? 1 : -1))
  const adds = entries.filter((entry) => !entry.set && !set?.settles.includes(entry.id))
  return (set?.value ?? 0) + total(adds.map(({ value }) => value))
}

/** The nearest of the specification: weekly where it is due once in a week, or less often, on average. */
function frequencyOn({ rhythms }: AccountFile['habits'][number], today: string): string {
  let { rhythm, target } = rhythms[0] ?? { rhythm: null, target: null }
  for (const row of rhythms.filter(({ from_day }) => from_day <= today)) {
    rhythm = row.rhythm ?? rhythm
    target = row.target ?? target
  }
  if (!rhythm || !target) throw new Error('The first row says both')
  const days = (): number => {
    if (target !== 'yes' && target.per !== 'day') return 7
    if ('per' in rhythm) return 7
    if ('days' in rhythm) return rhythm.days
    return 'every' in rhythm ? rhythm.every : 7 / rhythm.weekdays.length
  }
  return days() >= 7 ? 'weekly' : 'daily'
}

function countHabits(file: AccountFile, days: string[], today: string) {
  const counted = habitsDue(file, days, today).map(({ day, habits }) => ({
    day,
    completed: habits.filter(({ completed }) => completed).length,
    due: habits.length,
  }))
  return { count: total(counted.map(({ completed }) => completed)), days: counted }
}

function countHabitsOfNow(file: AccountFile, today: string) {
  const inUse = file.habits.filter(({ archived_at }) => archived_at === null)
  const done = inUse.filter((habit) => naiveHabit(daysOf(habit, file), today).completed())
  return { count: done.length, total: inUse.length }
}

function countFocus({ focus_sessions }: AccountFile, days: string[]) {
  const counted = days.map((day) => ({
    day,
    count: focus_sessions.filter((session) => session.days.at(-1)?.day === day).length,
    seconds: total(
      focus_sessions.flatMap((session) =>
        session.days.filter((each) => each.day === day).map(({ seconds }) => seconds),
      ),
    ),
  }))
  return {
    count: total(counted.map(({ count }) => count)),
    seconds: total(counted.map(({ seconds }) => seconds)),
    days: counted,
  }
}

function total(numbers: number[]): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}
