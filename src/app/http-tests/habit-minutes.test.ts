import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FocusSession } from '#features/focus/sessions/focus-session.ts'
import { daysOfSessions } from '#features/focus/sessions/focus-session-collection.ts'
import { minutesUnit } from '#features/habits/amounts/minutes.ts'
import { countHabit } from '#features/habits/habit/counted-habit.ts'
import type { Habit } from '#features/habits/habit/habit.ts'
import { factsOfResponse, type HabitFacts } from '#features/habits/habit/habit-facts.ts'
import { withOwnSessions } from '#features/habits/habit/own-sessions.ts'
import type { PauseRow } from '#features/habits/pauses/pause.ts'
import type { HabitDays } from '#features/habits/rhythm/habit-track.ts'
import type { Rhythm, Target } from '#features/habits/rhythm/rhythm.ts'
import { naiveHabit } from '#features/habits/testing/naive-habit.ts'
import { someRhythm } from '#features/habits/testing/some-habit.ts'
import { addDays, type Day, dayNumber, instantToWire } from '#platform/calendar/day.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { runs } from '#testing/runs.ts'
import { type Application, openApplication, type Person, type TestResponse } from '../testing/application.ts'

// A Friday.
const today = '2026-11-20' as Day
const noon = Date.parse(`${today}T12:00:00.000Z`)
const thirty: Target = { at: 'least', amount: 30_000, unit: minutesUnit, per: 'day' }

const noPauses: readonly PauseRow[] = []
const calendar = { timeZone: 'UTC', dayStart: 0, weekStart: 1 } as const
const counted = { today, calendar, pauses: noPauses } as const

// Mostly days of which a device has the sessions, and some that only the server's sum covers.
const back = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 12 }) },
  { weight: 3, arbitrary: fc.integer({ min: 13, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 61, max: 130 }) },
)
const seconds = fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 600, max: 5_400 }))
const about = fc.constantFrom(
  'this' as const,
  'this' as const,
  'another' as const,
  'a task' as const,
  'nothing' as const,
)
const nth = fc.nat({ max: 9 })
const does = <Name extends string>(name: Name) => fc.constant(name)
/** `night`: the seconds before midnight, which count on the day before. */
const night = fc.option(fc.integer({ min: 1, max: 2_000 }), { freq: 2, nil: 0 })
const someTarget: fc.Arbitrary<Target> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('yes' as const) },
  {
    weight: 6,
    arbitrary: fc.record({
      at: fc.constantFrom('least' as const, 'least' as const, 'most' as const),
      amount: fc.integer({ min: 1, max: 60 }).map((minutes) => minutes * 1_000),
      unit: fc.constantFrom(minutesUnit, minutesUnit, minutesUnit, 'pages'),
      per: fc.constantFrom('day' as const, 'day' as const, 'week' as const, 'month' as const),
    }),
  },
)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: does('record'), back, seconds, night, about }) },
  { weight: 2, arbitrary: fc.record({ does: does('correct'), nth, back, seconds, night }) },
  { weight: 2, arbitrary: fc.record({ does: does('give'), nth, about }) },
  { weight: 2, arbitrary: fc.record({ does: does('delete'), nth }) },
  { weight: 1, arbitrary: fc.record({ does: does('restore'), nth }) },
  { weight: 1, arbitrary: fc.record({ does: does('import'), back, seconds, night, about }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: does('enter'),
      back,
      minutes: fc.integer({ min: 1, max: 40 }),
      set: fc.boolean(),
      names: fc.constantFrom('what there is' as const, 'nothing' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: does('remove an entry'), nth }) },
  { weight: 1, arbitrary: fc.record({ does: does('hold'), back, target: someTarget }) },
  { weight: 1, arbitrary: fc.record({ does: does('days pass'), days: fc.integer({ min: 1, max: 40 }) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never

interface ModelSession {
  id: string
  habit: string | null
  days: { day: Day; seconds: number }[]
  /** Every day on which it ever counted. */
  ever: Day[]
  deleted: boolean
}

interface ModelEntry {
  id: string
  day: Day
  value: number
  set: boolean
  names: readonly string[]
  deleted: boolean
}

/** What a person did, kept as lists: nothing is summed up, and every amount is counted second by second. */
class Lists {
  readonly sessions: ModelSession[] = []
  readonly entries: ModelEntry[] = []
  readonly rows = new Map<Day, Target>()
  readonly start: Day

  constructor(start: Day) {
    this.start = start
  }

  /** What a set of a day replaces that is made now. */
  standingOn(habit: string, day: Day): string[] {
    const adds = this.entries.filter((entry) => entry.day === day && !entry.set)
    const sessions = this.sessions.filter(
      (session) => session.habit === habit && session.days.some((part) => part.day === day),
    )
    return [...adds, ...sessions].map(({ id }) => id)
  }

  habit(habit: string, rhythm: Rhythm): HabitDays {
    const inOrder = [...this.rows]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([from_day, target], place) => ({ from_day, rhythm: place === 0 ? rhythm : null, target }))
    const targetOn = (day: Day) =>
      inOrder.findLast((row) => row.from_day <= day)?.target ?? inOrder[0]?.target
    const counts = (day: Day) => {
      const target = targetOn(day)
      return target !== undefined && target !== 'yes' && target.unit === 'minutes'
    }
    const live = this.sessions
      .filter((session) => session.habit === habit && !session.deleted)
      .flatMap(({ id, days }) => days.map((part) => ({ id, ...part })))
      .filter(({ day }) => counts(day))
    const entries = this.entries.filter(({ deleted }) => !deleted)
    const amounts = new Map<Day, number>()
    for (const day of new Set([...live, ...entries].map(({ day }) => day))) {
      const ofDay = entries.filter((entry) => entry.day === day)
      // The entries are in the order in which they were made.
      const latest = ofDay.findLast(({ set }) => set)
      let amount = latest?.value ?? 0
      for (const { id, set, value } of ofDay) if (!set && !latest?.names.includes(id)) amount += value
      let passed = 0
      for (const { id, day: on, seconds } of live) {
        if (on === day && !latest?.names.includes(id)) passed += seconds
      }
      while (passed >= 60) {
        amount += 1_000
        passed -= 60
      }
      const isEntered = ofDay.length > 0 || live.some(({ day: on }) => on === day)
      if (isEntered) amounts.set(day, amount)
    }
    // Each of them has an amount.
    const standing = [...live, ...entries]
    const startDay = standing.reduce((first, { day }) => (day < first ? day : first), this.start)
    return { rows: inOrder, startDay, archivedOn: null, states: new Map(), amounts, pauses: [], weekStart: 1 }
  }
}

/** What a habit shows that depends on all of its days. */
function numbersShown({ completed, current_streak, longest_streak, strength }: Habit) {
  return { completed, current_streak, longest_streak, strength: rounded(strength) }
}

/** What is summed up is added in another order. */
function rounded(strength: number | null): number | null {
  return strength === null ? null : Math.round(strength * 1e7) / 1e7
}

const sessionSteps: ReadonlySet<string> = new Set([
  'record',
  'correct',
  'give',
  'delete',
  'restore',
  'import',
])
const another = '01900000-0000-7000-8000-000000000111'
const aTask = '01900000-0000-7000-8000-000000000222'

interface Taking {
  ask(method: string, path: string, body?: object): Promise<TestResponse['body']>
  lists: Lists
  habit: string
  day: Day
  newId(): string
}

/** Does it, and writes it down. */
async function take(what: Exclude<Step, { does: 'days pass' }>, { ask, lists, habit, day, newId }: Taking) {
  const subjectOf = { this: habit, another, 'a task': null, nothing: null }
  const said = (about: keyof typeof subjectOf) => ({
    habit_id: subjectOf[about],
    todo_id: about === 'a task' ? aTask : null,
  })
  const session = 'nth' in what ? lists.sessions[what.nth % lists.sessions.length] : undefined
  switch (what.does) {
    case 'record':
    case 'import': {
      const time = timeOn(addDays(day, -what.back), what)
      const row = { id: newId(), kind: 'hand', ...time, ...said(what.about) }
      if (what.does === 'record') await ask('POST', '/api/focus', row)
      else await ask('POST', '/api/import', { focus_sessions: [row] })
      const { id, days } = row
      const ever = days.map((part) => part.day)
      lists.sessions.push({ id, habit: subjectOf[what.about], days, ever, deleted: false })
      return
    }
    case 'correct': {
      if (!session || session.deleted) return
      const time = timeOn(addDays(day, -what.back), what)
      await ask('PUT', `/api/focus/${session.id}`, time)
      session.days = time.days
      session.ever.push(...time.days.map((part) => part.day))
      return
    }
    case 'give':
      if (!session || session.deleted) return
      await ask('PUT', `/api/focus/${session.id}`, said(what.about))
      session.habit = subjectOf[what.about]
      return
    case 'delete':
      if (!session || session.deleted) return
      await ask('DELETE', `/api/focus/${session.id}`)
      session.deleted = true
      return
    case 'restore':
      if (!session) return
      await ask('POST', `/api/focus/${session.id}/restore`)
      session.deleted = false
      return
    case 'enter': {
      const on = addDays(day, -what.back)
      const entry = { id: newId(), day: on, value: what.minutes * 1_000, set: what.set }
      const names = what.set && what.names === 'what there is' ? lists.standingOn(habit, on) : []
      const settles = what.names === 'nothing' ? { settles: [] } : {}
      await ask('POST', `/api/habits/${habit}/amounts`, { ...entry, ...(what.set && settles) })
      lists.entries.push({ ...entry, names, deleted: false })
      return
    }
    case 'remove an entry': {
      const entry = lists.entries[what.nth % lists.entries.length]
      if (!entry) return
      await ask('DELETE', `/api/habits/${habit}/amounts/${entry.id}`)
      entry.deleted = true
      return
    }
    case 'hold': {
      const from_day = addDays(day, -what.back)
      await ask('PUT', `/api/habits/${habit}`, { target: what.target, from_day })
      lists.rows.set(from_day, what.target)
      return
    }
  }
}

/** A session that ends on a day, with seconds on the day before if it began before midnight. */
function timeOn(day: Day, { seconds, night }: { seconds: number; night: number | null }) {
  const begins = Date.parse(`${day}T00:00:00Z`)
  const before = night ?? 0
  return {
    duration: before + seconds,
    started_at: instantToWire(begins - before * 1_000),
    ended_at: instantToWire(begins + seconds * 1_000),
    days: [...(before > 0 ? [{ day: addDays(day, -1), seconds: before }] : []), { day, seconds }],
  }
}

describeEachEngine('the minutes of a habit', (openEmpty) => {
  let daymark: Application
  let now = noon
  beforeAll(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => now })
  })

  let ids = 0
  const newId = () => {
    ids += 1
    return newRowId(now + ids, new Uint8Array(10))
  }

  /** For one person, whose every change is later than the one before. */
  function asking({ cookie }: Person, dayOfNow = () => today) {
    let changes = 0
    return async (method: string, path: string, body?: object) => {
      changes += 1
      now = Date.parse(`${dayOfNow()}T12:00:00Z`) + changes * 1_000
      return (await daymark.ask(method, path, { body, cookie })).body
    }
  }

  const sessionOn = (day: Day, seconds: number, about: object) => ({
    id: newId(),
    kind: 'hand',
    duration: seconds,
    started_at: instantToWire(Date.parse(`${day}T08:00:00Z`)),
    ended_at: instantToWire(Date.parse(`${day}T08:00:00Z`) + seconds * 1_000),
    days: [{ day, seconds }],
    ...about,
  })

  describe('of two devices', () => {
    it('a habit of 30 minutes done by two sessions on two devices offline counts 50 of 30 once, not twice', async () => {
      const ask = asking(await daymark.signUp('Ada'))
      const { habit } = await ask('POST', '/api/habits', { name: 'Read', target: thirty, start_date: today })
      const before: HabitFacts = factsOfResponse(habit)
      const own = (session: object) => withOwnSessions(before, [{ ...session } as FocusSession], today)
      const [here, there] = [1, 2].map(() => sessionOn(today, 1_500, { habit_id: habit.id, todo_id: null }))
      if (!here || !there) throw new Error('Two sessions')

      // Offline, each device counts what it has itself.
      for (const session of [here, there]) {
        const { track, completed } = countHabit(own(session), counted)
        expect([...track.amounts.values()]).toEqual([25_000])
        expect(completed).toBe(false)
      }

      // Both send what they have; one of them sends it again, since it did not hear the response.
      for (const session of [here, there, here]) await ask('POST', '/api/focus', session)
      const [shown] = (await ask('GET', '/api/habits')).habits
      expect(shown).toMatchObject({ completed: true, today: { state: 'done', amount: 50_000 } })
      const { sessions } = await ask('GET', '/api/focus')
      for (const device of [before, factsOfResponse(shown)] as const) {
        const { track, completed } = countHabit(withOwnSessions(device, sessions, today), counted)
        expect([...track.amounts.values()]).toEqual([50_000])
        expect(completed).toBe(true)
      }
    })
  })

  it('focused before a new habit began count on a device before the server has heard of them', async () => {
    const ask = asking(await daymark.signUp('Early'))
    const target: Target = { at: 'least', amount: 1_000, unit: minutesUnit, per: 'month' }
    const { habit } = await ask('POST', '/api/habits', { name: 'Read', target, start_date: today })
    const session = sessionOn(addDays(today, -13), 600, { habit_id: habit.id, todo_id: null })
    const own = withOwnSessions(factsOfResponse(habit), [{ ...session } as FocusSession], today)
    const { completed, streaks } = countHabit(own, counted)
    await ask('POST', '/api/focus', session)
    const [shown] = (await ask('GET', '/api/habits')).habits
    expect(shown.completed).toBe(true)
    expect({ completed, current: streaks?.current }).toEqual({
      completed: shown.completed,
      current: shown.current_streak,
    })
  })

  it('stay the same when the account is exported and imported elsewhere, also where a set replaced sessions', async () => {
    const ask = asking(await daymark.signUp('Grace'))
    const { habit } = await ask('POST', '/api/habits', { name: 'Read', target: thirty, start_date: today })
    const about = { habit_id: habit.id, todo_id: null }
    await ask('POST', '/api/focus', sessionOn(today, 1_500, about))
    await ask('POST', `/api/habits/${habit.id}/amounts`, { day: today, value: 10_000, set: true })
    await ask('POST', '/api/focus', sessionOn(today, 600, about))
    const minutes = async (asks: typeof ask) => (await asks('GET', '/api/habits')).habits[0].today.amount
    expect(await minutes(ask)).toBe(20_000)

    const { habits, focus_sessions } = await ask('GET', '/api/export')
    const { completions: _, skips: __, notes: ___, amounts, ...row } = habits[0]
    const elsewhere = asking(await daymark.signUp('Elsewhere'))
    const piece = { habits: [row], amounts: [{ habit_id: row.id, days: amounts }], focus_sessions }
    await elsewhere('POST', '/api/import', piece)
    expect(await minutes(elsewhere)).toBe(20_000)
    await elsewhere('POST', '/api/import', piece)
    expect(await minutes(elsewhere)).toBe(20_000)
  })

  it('are added up to by the tick, set to 0 by taking it back, and count on from there', async () => {
    const ask = asking(await daymark.signUp('Tick'))
    const { habit } = await ask('POST', '/api/habits', { name: 'Read', target: thirty, start_date: today })
    const about = { habit_id: habit.id, todo_id: null }
    const state = async (of: string) =>
      (await ask('PUT', `/api/habits/${habit.id}/days/${today}`, { state: of })).habit.today
    await ask('POST', '/api/focus', sessionOn(today, 1_500, about))
    expect(await state('done')).toEqual({ state: 'done', amount: 30_000 })
    expect(await state('none')).toEqual({ state: 'open', amount: 0 })
    await ask('POST', '/api/focus', sessionOn(today, 90, about))
    await ask('POST', '/api/focus', sessionOn(today, 90, about))
    const { habits } = await ask('GET', '/api/habits')
    expect(habits[0].today).toEqual({ state: 'open', amount: 3_000 })
    const { days } = await ask('GET', `/api/habits/${habit.id}/days?from=${today}&to=${today}`)
    expect(days).toMatchObject([{ state: 'open', amount: 3_000 }])
  })

  it('of two sessions without a whole minute each make one, and a habit in another unit gets none', async () => {
    const ask = asking(await daymark.signUp('Units'))
    const add = async (target: Target) =>
      (await ask('POST', '/api/habits', { name: 'Read', target, start_date: today })).habit.id
    const [inMinutes, inPages] = [await add(thirty), await add({ ...thirty, unit: 'pages' })]
    for (const habit_id of [inMinutes, inMinutes, inPages])
      await ask('POST', '/api/focus', sessionOn(today, 30, { habit_id, todo_id: null }))
    const { habits } = await ask('GET', '/api/habits')
    const amountOf = (id: string) => habits.find((each: Habit) => each.id === id).today.amount
    expect([amountOf(inMinutes), amountOf(inPages)]).toEqual([1_000, null])
  })

  it('are those of its sessions after every change, on the server and on a device that heard of nothing else', async () => {
    let people = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 90 }),
        someRhythm,
        someTarget,
        fc.array(step, { minLength: 1, maxLength: 12, size: 'max' }),
        async (started, rhythm, target, steps) => {
          people += 1
          let day = today
          now = noon
          const ask = asking(await daymark.signUp(`person${people}`), () => day)
          const start_date = addDays(today, -started)
          const { habit } = await ask('POST', '/api/habits', { name: 'Read', rhythm, target, start_date })
          const lists = new Lists(start_date)
          lists.rows.set(start_date, target)
          let known: Habit = habit
          for (const what of steps) {
            if (what.does === 'days pass') day = addDays(day, what.days)
            else await take(what, { ask, lists, habit: habit.id, day, newId })
            const [shown]: Habit[] = (await ask('GET', '/api/habits')).habits
            if (!shown) throw new Error('The habit is not listed')

            const days = lists.habit(habit.id, rhythm)
            expect([shown.start_date, shown.today.amount]).toEqual([
              days.startDay,
              days.amounts.get(day) ?? null,
            ])
            const naive = naiveHabit(days, day)
            const { current, longest } = naive.streaks()
            expect(numbersShown(shown)).toEqual({
              completed: naive.completed(),
              current_streak: current,
              longest_streak: longest,
              strength: rounded(naive.strength()),
            })

            const touched = 'nth' in what ? lists.sessions[what.nth % lists.sessions.length]?.ever : undefined
            const isRecent = (touched ?? lists.sessions.at(-1)?.ever ?? []).every(
              (each) => each > addDays(day, -daysOfSessions),
            )
            if (sessionSteps.has(what.does) && isRecent) {
              const own = (await ask('GET', '/api/focus')).sessions
              const facts = withOwnSessions(factsOfResponse(known), own, day)
              const { track, completed, streaks, strength } = countHabit(facts, { ...counted, today: day })
              expect([completed, track.amounts.get(dayNumber(day)) ?? null]).toEqual([
                shown.completed,
                shown.today.amount,
              ])
              if (streaks) expect([streaks.current, streaks.longest]).toEqual([current, longest])
              if (strength !== undefined) expect(rounded(strength)).toBe(rounded(shown.strength))
            }
            known = shown
          }
        },
      ),
      { numRuns: runs(1_000, 5) },
    )
  })
})
