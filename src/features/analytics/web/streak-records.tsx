import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { Habit } from '#features/habits/habit.ts'
import { formatCount } from './format-metric.ts'

type Record = Pick<Habit, 'id' | 'name' | 'frequency'> & {
  streaks: { current: number; longest: number }
}

/** Every habit's current and longest streak, the longest first. */
export function StreakRecords({ habits }: { habits: readonly Record[] }) {
  const heading = useId()
  const withStreaks = habits.map(({ streaks, ...habit }) => ({ ...habit, ...streaks }))
  const ordered = withStreaks.toSorted((a, b) => daysOf(b) - daysOf(a) || b.current - a.current)
  return (
    <section aria-labelledby={heading} className="rounded-card bg-raised p-5 ring ring-line max-sm:p-4">
      <h2 id={heading} className="text-control font-medium text-ink-2">
        Streak records
      </h2>
      {ordered.length === 0 ? (
        <p className="mt-3 text-control text-ink-2">Your habits' streaks will appear here.</p>
      ) : (
        <table className="mt-2 w-full text-control">
          <thead className="text-small text-ink-2">
            <tr>
              <th scope="col" className="py-1 text-left font-normal">
                Habit
              </th>
              <th scope="col" className="py-1 pl-4 text-right font-normal">
                Current
              </th>
              <th scope="col" className="py-1 pl-4 text-right font-normal">
                Longest
              </th>
            </tr>
          </thead>
          <tbody>
            {ordered.map(({ id, name, frequency, current, longest }) => (
              <tr key={id} className="align-top">
                <th scope="row" className="py-1.5 text-left font-normal wrap-anywhere">
                  {name}
                </th>
                <td className="py-1.5 pl-4 text-right text-ink-2">
                  {formatCount(current, unitOf(frequency))}
                </td>
                <td className="py-1.5 pl-4 text-right font-medium">
                  {formatCount(longest, unitOf(frequency))}
                  {current === longest && current > 0 && (
                    <span className="text-small text-ink-2"> (current)</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Link
        to="/habits"
        className="mt-2 inline-flex min-h-6 items-center rounded-box text-small font-medium text-accent hover:underline pointer-coarse:min-h-11"
      >
        View habits
      </Link>
    </section>
  )
}

function unitOf(frequency: Habit['frequency']): string {
  return frequency === 'daily' ? 'day' : 'week'
}

/** A week of a weekly habit is as long as seven days of a daily one. */
function daysOf({ frequency, longest }: { frequency: Habit['frequency']; longest: number }): number {
  return frequency === 'daily' ? longest : longest * 7
}
