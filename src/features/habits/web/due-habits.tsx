import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useToday, useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { integerFormat } from '#platform/format/format-number.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { countHabit, type HabitFacts } from '../counted-habit.ts'
import { unitOf } from './format-streak.ts'
import { useHabitActions } from './use-habit-actions.ts'
import type { HabitsDue } from './use-habits-due.ts'

/** The habits that are due today, each with its one tick. What is done stays in its place. */
export function DueHabits({ due, problem }: HabitsDue) {
  const today = useToday()
  const actions = useHabitActions(noReminderIsSet)
  const heading = useId()
  if (problem && !due) {
    return (
      <p role="alert" className="mt-6 text-control text-ink-2">
        Your habits couldn't be loaded. {formatRequestProblem(problem)}
      </p>
    )
  }
  if (!due || due.length === 0) return null
  const done = due.filter((each) => each.done).length
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="mt-4 mb-1 py-0.5 text-control font-medium text-ink-2">
        Habits{' '}
        <span className="ml-1 font-normal text-ink-3 tabular-nums">
          {integerFormat.format(done)} of {integerFormat.format(due.length)}
        </span>
      </h2>
      <ul aria-labelledby={heading} className="[list-style-type:'']">
        {due.map(({ habit, done }) => (
          <li
            key={habit.id}
            data-row={habit.id}
            className="group/row -mx-3 flex min-h-10 items-start gap-x-3 rounded-control px-3 hover:bg-hover pointer-coarse:-mx-4 pointer-coarse:min-h-12 pointer-coarse:px-4"
          >
            <Checkbox
              aria-label={habit.name}
              checked={done}
              onChange={(event) => actions.completeToday(habit, event.currentTarget.checked, today)}
              className="mt-[calc(0.75rem-2px)] pointer-coarse:mt-[calc(0.75rem+4px)]"
            />
            <Link
              to="/habits"
              search={{ habit: habit.id }}
              data-title
              tabIndex={-1}
              dir="auto"
              className={cn('min-w-0 flex-1 py-2 wrap-anywhere pointer-coarse:py-3.5', done && 'text-ink-3')}
            >
              {habit.name}
            </Link>
            <Streak habit={habit} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Streak({ habit }: { habit: HabitFacts }) {
  const today = useToday()
  const { weekStart } = useUserCalendar()
  const current = countHabit(habit, today, weekStart).streaks?.current
  if (current === undefined || current === 0) return null
  return (
    <p className="shrink-0 py-2.5 text-control whitespace-nowrap text-ink-3 pointer-coarse:py-4">
      <span className="sr-only">Current streak: </span>
      <span className="font-medium text-ink tabular-nums">{integerFormat.format(current)}</span>{' '}
      {unitOf(current, habit.frequency)}
    </p>
  )
}

function noReminderIsSet() {}
