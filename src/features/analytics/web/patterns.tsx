import { useId, useMemo } from 'react'
import { countHabit, factsOf } from '#features/habits/counted-habit.ts'
import type { Habit } from '#features/habits/habit.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { troubleInWords } from '#platform/sync/trouble.ts'
import { Button } from '#platform/ui/button.tsx'
import { between, type DayFigure } from '../day-figure.ts'
import { habitsByFocus } from '../focus-and-habits.ts'
import { daysByFocus, type Facts, figuresOf, type HabitDay, insightsOf } from '../insights.ts'
import { byWeekday } from '../weekdays.ts'
import { useDays, useHabits, useHabitsDue } from './analytics-queries.ts'
import { FocusAndHabits } from './focus-and-habits-card.tsx'
import { InsightCard, NoInsights } from './insight-card.tsx'
import { StreakRecords } from './streak-records.tsx'
import { WeekdayCard } from './weekday-card.tsx'

/** What the last 90 days have in common, and the records. It stands when all of it is known. */
export function Patterns({ today, weekStart }: { today: Day; weekStart: WeekStart }) {
  // Today is not over: what is not done yet would count as not done.
  const lookedAt = { from: addDays(today, -90), to: addDays(today, -1) }
  const todos = useDays('todos', lookedAt)
  const focus = useDays('focus', lookedAt)
  const due = useHabitsDue(lookedAt)
  const habits = useHabits()
  const heading = useId()
  const asked = [todos, focus, due, habits]
  const facts = useMemo(
    () =>
      todos.data &&
      focus.data &&
      due.data &&
      habits.data &&
      factsOfDays(todos.data, focus.data, due.data, habits.data),
    [todos.data, focus.data, due.data, habits.data],
  )

  const failed = asked.find(({ status }) => status === 'failed')
  if (failed) {
    const retry = () => {
      for (const each of asked) if (each.status === 'failed') each.retry()
    }
    return (
      <div
        role="alert"
        className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-raised p-5 text-control text-ink-2 ring ring-line"
      >
        <p>Insights and records couldn't be loaded. {failed.trouble && troubleInWords(failed.trouble)}</p>
        <Button variant="secondary" onClick={retry}>
          Try again
        </Button>
      </div>
    )
  }
  if (!facts || !habits.data) {
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
  const habitDays = figuresOf(facts.habits)
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
          <InsightCard key={insight.id} insight={insight} looked={facts.looked} today={today} />
        ))}
        {insights.length === 0 && <NoInsights {...daysByFocus(facts.focus)} />}
      </section>
      <div className="grid grid-flow-dense grid-cols-1 gap-4 @min-[44rem]:grid-cols-2">
        <WeekdayCard
          looked={facts.looked}
          today={today}
          weekdays={{
            habits: byWeekday('habits', habitDays, weekStart),
            todos: byWeekday('todos', facts.todos, weekStart),
            focus: byWeekday('focus', facts.focus, weekStart),
          }}
        />
        <FocusAndHabits bands={habitsByFocus(habitDays, facts.focus)} looked={facts.looked} today={today} />
      </div>
      <StreakRecords
        habits={habits.data.map((habit) => ({
          id: habit.id,
          name: habit.name,
          frequency: habit.frequency,
          streaks: countHabit(factsOf(habit), today, weekStart).streaks,
        }))}
      />
    </>
  )
}

/** From the first day on which anything was there: the days before it say nothing about the person. */
function factsOfDays(
  todos: readonly DayFigure[],
  focus: readonly DayFigure[],
  due: readonly HabitDay[],
  habits: readonly Habit[],
): Facts & { looked: DayRange | undefined } {
  const daily = new Set(habits.filter(({ frequency }) => frequency === 'daily').map(({ id }) => id))
  const happened = [...todos, ...focus].filter(({ amount }) => amount > 0).map(({ day }) => day)
  const begin = [...happened, ...due.map(({ day }) => day)].toSorted()[0]
  const end = todos.at(-1)?.day
  if (begin === undefined || end === undefined) return { todos: [], focus: [], habits: [], looked: undefined }
  const looked = { from: begin, to: end }
  return {
    looked,
    todos: between(todos, looked),
    focus: between(focus, looked),
    habits: due.filter(({ id }) => daily.has(id)),
  }
}
