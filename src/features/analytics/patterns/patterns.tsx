import { useId, useMemo } from 'react'
import { type CountedFor, countHabit, type HabitCalendar } from '#features/habits/habit/counted-habit.ts'
import type { Habit } from '#features/habits/habit/habit.ts'
import { factsOfResponse } from '#features/habits/habit/habit-facts.ts'
import { meanPeriodDays, streakUnitOf } from '#features/habits/rhythm/rhythm.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { useDays, useHabits, useHabitsDue, usePauses } from '../metrics/analytics-queries.ts'
import { between, type DayValue } from '../metrics/day-value.ts'
import { dueOnTheDay, type HabitDay } from '../metrics/due-habits.ts'
import type { Range } from '../metrics/range.ts'
import { habitsByFocus } from './focus-and-habits.ts'
import { FocusAndHabits } from './focus-and-habits-card.tsx'
import { FocusSharesCard } from './focus-shares-card.tsx'
import { InsightCard, NoInsights } from './insight-card.tsx'
import { daysByFocus, dayValuesOf, type Facts, insightsOf } from './insights.ts'
import { type HabitRecords, StreakRecords } from './streak-records.tsx'
import { WeekdayCard } from './weekday-card.tsx'
import { byWeekday } from './weekdays.ts'

interface PatternsProps {
  /** The range of the focus shares. The patterns always cover 90 days. */
  range: Range
  today: Day
  calendar: HabitCalendar
}

/** The patterns of the last 90 days, the streak records, and the focus shares. Rendered once everything is loaded. */
export function Patterns({ range, today, calendar }: PatternsProps) {
  // The sample ends yesterday: today's open rows would count as not done.
  const sampleRange = { from: addDays(today, -90), to: addDays(today, -1) }
  const todos = useDays('todos', sampleRange)
  const focus = useDays('focus', sampleRange)
  const due = useHabitsDue(sampleRange)
  const habits = useHabits()
  const pauses = usePauses()
  const heading = useId()
  const queries = [todos, focus, due, habits, pauses]
  const facts = useMemo(
    () =>
      todos.data &&
      focus.data &&
      due.data &&
      habits.data &&
      factsOfDays(todos.data, focus.data, due.data, habits.data),
    [todos.data, focus.data, due.data, habits.data],
  )

  const failed = queries.find(({ status }) => status === 'failed')
  if (failed) {
    const retry = () => {
      for (const each of queries) if (each.status === 'failed') each.retry()
    }
    return (
      <div
        role="alert"
        className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-raised p-5 text-control text-ink-2 ring ring-line"
      >
        <p>
          Insights and records couldn't be loaded. {failed.problem && formatRequestProblem(failed.problem)}
        </p>
        <Button variant="secondary" onClick={retry}>
          Try again
        </Button>
      </div>
    )
  }
  if (!facts || !habits.data || !pauses.data) {
    return (
      <div aria-busy="true" className="grid grid-cols-1 gap-4 @min-[44rem]:grid-cols-2">
        <p role="status" className="sr-only">
          Loading...
        </p>
        {[1, 2].map((card) => (
          <div key={card} aria-hidden="true" className="h-40 rounded-card bg-raised p-5 ring ring-line">
            <span className="block h-4 w-2/3 rounded-box bg-heat-0" />
            <span className="mt-4 block h-2 rounded-box bg-heat-0" />
            <span className="mt-3 block h-2 w-1/2 rounded-box bg-heat-0" />
          </div>
        ))}
      </div>
    )
  }
  const insights = insightsOf(facts)
  const habitDays = dayValuesOf(facts.habits)
  return (
    <>
      <section
        aria-labelledby={heading}
        className="grid grid-flow-dense grid-cols-1 gap-4 @min-[44rem]:grid-cols-2"
      >
        <h2 id={heading} className="sr-only">
          Insights
        </h2>
        {insights.map((insight) => (
          <InsightCard key={insight.id} insight={insight} sampleRange={facts.sampleRange} today={today} />
        ))}
        {insights.length === 0 && <NoInsights {...daysByFocus(facts.focus)} />}
      </section>
      <div className="grid grid-flow-dense grid-cols-1 gap-4 @min-[44rem]:grid-cols-2">
        <WeekdayCard
          sampleRange={facts.sampleRange}
          today={today}
          weekdays={{
            habits: byWeekday('habits', habitDays, calendar.weekStart),
            todos: byWeekday('todos', facts.todos, calendar.weekStart),
            focus: byWeekday('focus', facts.focus, calendar.weekStart),
          }}
        />
        <FocusAndHabits
          bands={habitsByFocus(habitDays, facts.focus)}
          sampleRange={facts.sampleRange}
          today={today}
        />
      </div>
      <StreakRecords habits={recordsOf(habits.data, { today, calendar, pauses: pauses.data })} />
      {/* Last, because its height depends on the range. */}
      <FocusSharesCard key={range} range={range} today={today} />
    </>
  )
}

/** Counts the streaks for today on the device, because the response may be from before midnight. */
function recordsOf(habits: readonly Habit[], counted: CountedFor): HabitRecords[] {
  return habits.map((habit) => {
    const { id, name, current_streak, longest_streak, earlier } = habit
    const { rhythm, target, streaks } = countHabit(factsOfResponse(habit), counted)
    const unit = streakUnitOf(rhythm, target)
    const known = streaks ?? {
      unit,
      current: current_streak,
      longest: longest_streak,
      records: earlier.records,
    }
    const daysOfUnit = { days: 1, weeks: 7, months: 30, times: meanPeriodDays(rhythm, target) }
    return { id, name, ...known, longestInDays: known.longest * daysOfUnit[known.unit] }
  })
}

/** The facts from the first day on which anything was done or due. The days before it say nothing about the person. */
function factsOfDays(
  todos: readonly DayValue[],
  focus: readonly DayValue[],
  due: readonly HabitDay[],
  habits: readonly Habit[],
): Facts & { sampleRange: DayRange | undefined } {
  const happened = [...todos, ...focus].filter(({ amount }) => amount > 0).map(({ day }) => day)
  const begin = [...happened, ...due.map(({ day }) => day)].toSorted()[0]
  const end = todos.at(-1)?.day
  if (begin === undefined || end === undefined)
    return { todos: [], focus: [], habits: [], sampleRange: undefined }
  const sampleRange = { from: begin, to: end }
  return {
    sampleRange,
    todos: between(todos, sampleRange),
    focus: between(focus, sampleRange),
    habits: dueOnTheDay(due, habits),
  }
}
