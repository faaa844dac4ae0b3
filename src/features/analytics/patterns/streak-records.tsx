import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { StreakUnit } from '#features/habits/rhythm/rhythm.ts'
import type { StreakRecords as StreakRecordsOfUnits } from '#features/habits/strength/streaks.ts'
import { counted } from '#platform/format/words.ts'

export interface HabitRecords {
  id: string
  name: string
  /** The unit of the habit's present streaks. */
  unit: StreakUnit
  current: number
  longest: number
  /** The longest streak in each unit that the habit has ever had. */
  records: StreakRecordsOfUnits
  longestInDays: number
}

/** Every habit's current and longest streak, longest first. */
export function StreakRecords({ habits }: { habits: readonly HabitRecords[] }) {
  const heading = useId()
  const ordered = habits.toSorted((a, b) => b.longestInDays - a.longestInDays || b.current - a.current)
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
            {ordered.map(({ id, name, unit, current, longest, records }) => (
              <tr key={id} className="align-top">
                <th scope="row" className="py-1.5 text-left font-normal wrap-anywhere">
                  {name}
                </th>
                <td className="py-1.5 pl-4 text-right text-ink-2">{formatStreak(current, unit)}</td>
                <td className="py-1.5 pl-4 text-right font-medium">
                  {formatStreak(longest, unit)}
                  {current === longest && current > 0 && (
                    <span className="text-small text-ink-2"> (current)</span>
                  )}
                  {formerOf(records, unit).map((former) => (
                    <span key={former} className="block text-small font-normal text-ink-2">
                      Before: {former}
                    </span>
                  ))}
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

function formatStreak(count: number, unit: StreakUnit): string {
  return counted(count, unit.slice(0, -1))
}

/** The records in other units, from when the habit had another rhythm. */
function formerOf(records: StreakRecordsOfUnits, present: StreakUnit): string[] {
  return units.flatMap((unit) =>
    unit !== present && records[unit] > 0 ? [formatStreak(records[unit], unit)] : [],
  )
}

const units = ['days', 'weeks', 'months', 'times'] as const satisfies readonly StreakUnit[]
