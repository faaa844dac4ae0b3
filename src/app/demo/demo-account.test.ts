import { describe, expect, it } from 'vitest'
import { amountOf } from '#features/habits/amounts/amounts.ts'
import { countedDays } from '#features/habits/past/due-by-day.ts'
import { numbersOf } from '#features/habits/past/habit-summary.ts'
import { statesOf } from '#features/habits/rhythm/day-state.ts'
import { dayStates } from '#features/habits/rhythm/day-state-names.ts'
import { trackOf } from '#features/habits/rhythm/habit-track.ts'
import { shownOn } from '#features/todos/todo/shown-todo.ts'
import { progressOf, subtasksOf } from '#features/todos/todo/subtasks.ts'
import { exportedAccountSchema } from '#features/your-data/exported-account.ts'
import { addDays, type Day, dayNumber, dayOf, daysFrom, instantFromWire } from '#platform/calendar/day.ts'
import { weekdayOf } from '#platform/calendar/week.ts'
import { byPosition } from '#platform/order/position.ts'
import { demoAccount } from './demo-account.ts'

const zone = 'Europe/Copenhagen'
// A Friday afternoon.
const today = '2026-11-20' as Day
const now = Date.parse('2026-11-20T16:30:00+01:00')
const { lists, todos, habits: all, focus_sessions, ...rest } = demoAccount(now, zone)
/** The daily and weekly ones. */
const habits = all.slice(0, 9)

describe('the year of the demo', () => {
  it('is the same every time it is made', () => {
    expect(demoAccount(now, zone)).toEqual({ lists, todos, habits: all, focus_sessions, ...rest })
  })

  it('continues over the day: what was there in the morning is there in the evening, and some of it has been done since', () => {
    const evening = demoAccount(Date.parse('2026-11-20T23:59:00+01:00'), zone)
    const later = new Map(evening.todos.map((todo) => [todo.id, todo]))
    const done = todos.filter(({ completed }) => completed === 1)
    expect(done.map(({ id }) => later.get(id))).toEqual(done)
    expect(evening.todos.length).toBeGreaterThanOrEqual(todos.length)
    expect(evening.focus_sessions.slice(0, focus_sessions.length)).toEqual(focus_sessions)
    for (const [place, habit] of all.entries()) {
      const later = evening.habits[place]
      expect(later?.completions.slice(0, habit.completions.length)).toEqual(habit.completions)
      expect(later?.amounts).toEqual(expect.arrayContaining(habit.amounts))
    }
    expect(evening.habits.flatMap(({ completions }) => completions).length).toBeGreaterThan(
      habits.flatMap(({ completions }) => completions).length,
    )
  })

  it.each([
    ['UTC', '2026-01-01T00:00:00Z'],
    ['Pacific/Kiritimati', '2026-11-20T23:00:00Z'],
    ['Pacific/Niue', '2026-11-20T05:00:00Z'],
    ['America/Santiago', '2026-09-06T12:00:00Z'],
    ['Australia/Lord_Howe', '2028-02-29T12:00:00Z'],
  ])('can be imported, in %s at %s, and holds nothing from the future', (zone, at) => {
    const account = demoAccount(Date.parse(at), zone)
    expect(exportedAccountSchema.parse(account)).toEqual(account)
    const instants = [
      ...account.lists.map((list) => list.archived_at ?? list.created_at),
      ...account.todos.flatMap((todo) => [todo.created_at, todo.completed_at ?? todo.created_at]),
      ...account.habits.flatMap((habit) => [habit.created_at, ...habit.amounts.map((entry) => entry.at)]),
      ...account.habits.flatMap((habit) => habit.archived_at ?? []),
      ...account.pauses.map((pause) => pause.updated_at),
      ...account.focus_sessions.map((session) => session.ended_at),
    ]
    for (const instant of instants) expect(instantFromWire(instant)).toBeLessThanOrEqual(Date.parse(at))
    const entries = account.habits.flatMap(({ amounts }) => amounts)
    const ids = [
      account.lists,
      account.todos,
      account.habits,
      entries,
      account.pauses,
      account.focus_sessions,
    ]
      .flat()
      .map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has about five tasks a day, nearly all of them done, and a handful open now', () => {
    expect(todos.length).toBeGreaterThan(1_400)
    expect(todos.length).toBeLessThan(2_200)
    const open = subtasksOf(todos).top.filter(({ completed }) => completed === 0)
    expect(open.length).toBeGreaterThanOrEqual(4)
    expect(open.length).toBeLessThanOrEqual(12)
    expect(todos.some(({ completed_on }) => completed_on === today)).toBe(true)
    expect(new Set(todos.map(({ title }) => title)).size).toBeGreaterThan(200)
  })

  it('has three lists with open tasks in them, and an archived one whose tasks are all done', () => {
    const inUse = lists.filter(({ archived_at }) => archived_at === null)
    expect(inUse.toSorted(byPosition).map(({ name }) => name)).toEqual(['Home', 'Work', 'Garden'])
    const of = (list: (typeof lists)[number]) => todos.filter(({ list_id }) => list_id === list.id)
    for (const list of inUse) expect(of(list).some(({ completed }) => completed === 0)).toBe(true)
    const [archived, ...others] = lists.filter(({ archived_at }) => archived_at !== null)
    expect([archived?.name, others]).toEqual(['Two weeks in Norway', []])
    expect(archived && of(archived).map(({ completed }) => completed)).toEqual([1, 1, 1, 1, 1])
    expect(todos.some(({ list_id, completed }) => list_id === null && completed === 0)).toBe(true)
  })

  it('has tasks with notes, tags, priorities, estimates and subtasks, some of which are done', () => {
    const { byParent } = subtasksOf(todos)
    const progress = [...byParent.values()].map(progressOf)
    expect(progress).toContainEqual({ done: 1, of: 3 })
    const open = todos.filter(({ completed, parent_id }) => completed === 0 && parent_id === null)
    expect(open.some(({ note }) => note.includes('https://'))).toBe(true)
    expect(new Set(open.map(({ priority }) => priority))).toEqual(new Set([0, 1, 2, 3]))
    expect(open.some(({ estimate }) => estimate !== null)).toBe(true)
    const tagged = new Set(todos.flatMap(({ tags }) => tags))
    expect(tagged.size).toBeGreaterThanOrEqual(6)
    expect(todos.filter(({ tags }) => tags.length > 0).length).toBeGreaterThan(100)
  })

  it('has tasks that come back, of which some times were done, skipped and missed', () => {
    const repeating = todos.filter(({ repeat }) => repeat !== null)
    expect(repeating.map(({ title }) => title)).toContain('Put the bins out')
    const states = new Set(repeating.flatMap(({ days = [] }) => days.map(({ state }) => state)))
    expect(states).toEqual(new Set(['done', 'skipped']))
    for (const { days = [] } of repeating) expect(days.length).toBeGreaterThan(8)
    const shown = repeating.map((todo) => shownOn({ ...todo, settled: todo.days ?? [] }, undefined, today))
    expect(shown.some(({ missed = 0 }) => missed > 0)).toBe(true)
  })

  it('has habits that go well and some that do not, with streaks that are still alive', () => {
    const daily = habits.filter(({ frequency }) => frequency === 'daily')
    const weekly = habits.filter(({ frequency }) => frequency === 'weekly')
    expect([daily.length, weekly.length]).toEqual([6, 3])
    expect(new Set(habits.map(({ start_date }) => start_date)).size).toBeGreaterThan(4)
    for (const habit of habits) expect(numbersOf(trackIn(habit), today).streaks.current).toBeGreaterThan(1)
    const share = (days: { completed: number; due: number }[]) =>
      total(days.map(({ completed }) => completed)) / total(days.map(({ due }) => due))
    const year = habitDays(addDays(today, -364))
    expect(share(year)).toBeGreaterThan(0.6)
    expect(share(year)).toBeLessThan(0.85)
    const weekends = year.filter(({ day }) => weekdayOf(day) > 5)
    expect(share(year.filter((each) => !weekends.includes(each)))).toBeGreaterThan(share(weekends))
  })

  // Their numbers from before there were other rhythms: how often it was done, the streaks, and the rate.
  it.each([
    ['Read 20 pages', 300, 33, 33, 29, 29],
    ['Morning walk', 267, 9, 14, 22, 30],
    ['Take vitamins', 333, 58, 58, 30, 30],
    ['Meditate', 215, 16, 20, 29, 30],
    ['Spanish', 147, 3, 12, 21, 29],
    ['Write three lines', 69, 11, 11, 22, 29],
    ['Long run', 43, 6, 11, 9, 11],
    ['Call home', 45, 11, 29, 11, 11],
    ['Cook something new', 15, 2, 3, 8, 12],
  ])('reads %s as before: done %i times, for %i in a row and %i at most, %i of %i', (name, ...numbers) => {
    const habit = habits.find((each) => each.name === name)
    if (!habit) throw new Error('It is not there')
    const { streaks, completionRate } = numbersOf(trackIn(habit), today)
    const [times, current, longest, done, due] = numbers
    expect([habit.completions.length, streaks.current, streaks.longest]).toEqual([times, current, longest])
    expect(completionRate).toBe(done / due)
  })

  it('has habits in every other rhythm, with which every state of a day can be seen', () => {
    const others = all.slice(9)
    const shapes = others.flatMap(({ rhythms }) =>
      rhythms.map(({ rhythm }) => Object.keys(rhythm ?? {}).join()),
    )
    expect(new Set(shapes)).toEqual(new Set(['times,per', 'times,days', 'weekdays', 'every']))
    const targets = others.flatMap(({ rhythms }) => rhythms.flatMap(({ target }) => target ?? []))
    const kinds = targets.map((target) => (target === 'yes' ? target : `${target.at} per ${target.per}`))
    expect(new Set(kinds)).toEqual(new Set(['yes', 'least per day', 'most per day', 'least per month']))
    const range = { from: addDays(today, -364), to: today }
    const states = others.flatMap((habit) => statesOf(trackIn(habit), range, today))
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(dayStates))
    expect(
      states.some(({ day, state, amount }) => day === today && state === 'open' && amount !== null),
    ).toBe(true)
    const numbers = others.map((habit) => numbersOf(trackIn(habit), today))
    const strengths = numbers.map(({ strength }) => strength).filter((strength) => strength !== null)
    expect(Math.min(...strengths)).toBeLessThan(85)
    expect(Math.max(...strengths)).toBeGreaterThan(85)
    expect(numbers.some(({ now }) => now?.result === 'possible' && now.counts === 'times')).toBe(true)
    expect(others.filter(({ archived_at }) => archived_at !== null)).toHaveLength(1)
    expect(rest.pauses).toHaveLength(1)
  })

  it('focuses for about an hour on workdays, and now and then past midnight', () => {
    const hours = total(focus_sessions.map(({ duration }) => duration)) / 3_600
    expect(hours).toBeGreaterThan(150)
    expect(hours).toBeLessThan(400)
    const first = (session: (typeof focus_sessions)[number]) => session.days[0]?.day ?? today
    const onWeekends = focus_sessions.filter((session) => weekdayOf(first(session)) > 5)
    expect(onWeekends.length / focus_sessions.length).toBeLessThan(0.1)
    expect(focus_sessions.filter(({ days }) => days.length === 2).length).toBeGreaterThan(3)
    for (const [place, session] of focus_sessions.entries()) {
      expect((session.started_at ?? '') >= (focus_sessions[place - 1]?.ended_at ?? '')).toBe(true)
    }
  })

  it('focuses on tasks that are open then, on a habit in minutes, and now and then on nothing in particular', () => {
    const open = new Map(todos.map((todo) => [todo.id, todo]))
    const onTasks = focus_sessions.filter(({ todo_id }) => todo_id !== null)
    for (const { todo_id, started_at, ended_at } of onTasks) {
      const todo = open.get(todo_id ?? '')
      expect(todo && todo.created_at <= (started_at ?? '')).toBe(true)
      expect(todo?.completed_at === null || (todo?.completed_at ?? '') >= ended_at).toBe(true)
    }
    const novel = all.find(({ name }) => name === 'Write the novel')
    const onHabit = focus_sessions.filter(({ habit_id }) => habit_id !== null)
    expect(new Set(onHabit.map(({ habit_id }) => habit_id))).toEqual(new Set([novel?.id]))
    const share = (of: readonly unknown[]) => of.length / focus_sessions.length
    expect(share(onTasks)).toBeGreaterThan(0.5)
    expect(share(onHabit)).toBeGreaterThan(0.05)
    expect(share([...onTasks, ...onHabit])).toBeLessThan(0.95)
    const estimated = onTasks.filter(({ todo_id }) => typeof open.get(todo_id ?? '')?.estimate === 'number')
    expect(estimated.length).toBeGreaterThan(0)
  })

  it('is away for a fortnight and ill for some days, and does little then', () => {
    for (const [from, to] of [
      [addDays(today, -135), addDays(today, -122)],
      [addDays(today, -261), addDays(today, -256)],
    ] as const) {
      const within = (day: Day | null) => day !== null && day >= from && day <= to
      expect(focus_sessions.filter(({ days }) => days.every(({ day }) => within(day)))).toEqual([])
      const days = dayNumber(to) - dayNumber(from) + 1
      expect(todos.filter(({ completed_on }) => within(completed_on)).length).toBeLessThan(days / 2)
      const habitsThen = habitDays(from).filter(({ day }) => within(day))
      expect(total(habitsThen.map(({ completed }) => completed))).toBeLessThan(
        total(habitsThen.map(({ due }) => due)) / 2,
      )
    }
  })
})

function trackIn(habit: (typeof all)[number]) {
  const { rhythms: rows, start_date: startDay, archived_at, completions, skips, amounts } = habit
  const entries = amounts.map((entry) => ({ ...entry, at: instantFromWire(entry.at), deleted: false }))
  const byDay = [...Map.groupBy(entries, ({ day }) => day)]
  return trackOf({
    rows,
    startDay,
    weekStart: 1,
    archivedOn: archived_at === null ? null : dayOf(instantFromWire(archived_at), zone, 0),
    states: new Map([
      ...completions.map((day) => [day, 'done'] as const),
      ...skips.map((day) => [day, 'skipped'] as const),
    ]),
    amounts: new Map(byDay.map(([day, ofDay]) => [day, amountOf(ofDay) ?? 0])),
    pauses: rest.pauses.filter(({ habit_id }) => habit_id === null || habit_id === habit.id),
  })
}

function habitDays(from: Day) {
  const counted = habits.flatMap((habit) => countedDays(trackIn(habit), { from, to: today }, today))
  const byDay = Map.groupBy(counted, ({ day }) => day)
  return daysFrom(from, today).map((day) => ({
    day,
    completed: total((byDay.get(day) ?? []).map(({ completed }) => completed)),
    due: total((byDay.get(day) ?? []).map(({ due }) => due)),
  }))
}

function total(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
