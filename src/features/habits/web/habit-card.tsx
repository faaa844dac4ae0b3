import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { dayAndMonth } from '#platform/format/format-day.ts'
import { formatPercent, integerFormat } from '#platform/format/format-number.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { type CountedHabit, type HabitFacts, rhythmOfFacts } from '../counted-habit.ts'
import { countPeriods, type Frequency, type PeriodCounts, rateRange } from '../streak.ts'
import { unitOf } from './format-streak.ts'
import { HabitDialog } from './habit-dialog.tsx'
import { HeatMap } from './heat-map.tsx'
import { useCompletions } from './use-completions.ts'
import type { HabitActions } from './use-habit-actions.ts'

interface HabitCardProps extends Pick<CountedHabit, 'streaks' | 'completed'> {
  habit: HabitFacts
  today: Day
  weekStart: WeekStart
  actions: HabitActions
  /** Whether the dialog to edit it is open. */
  editing: boolean
  onEdit(editing: boolean): void
}

/** The details of an open habit: its numbers, its year, and the buttons to edit or delete it. */
export function HabitCard({
  habit,
  streaks,
  completed,
  today,
  weekStart,
  actions,
  editing,
  onEdit,
}: HabitCardProps) {
  const { days, failed, problem, retry } = useCompletions(habit)
  const { frequency, start_date } = habit
  const rhythm = rhythmOfFacts(habit, weekStart)
  const count = (from: Day) => days && countPeriods(days, { from, to: today }, start_date, today, rhythm)

  return (
    <div className="pt-2 pb-4 pl-8 @max-[40em]:pt-0 @max-[40em]:pl-0">
      <div className="flex flex-wrap items-end gap-x-10 gap-y-3 @max-[40em]:grid @max-[40em]:grid-cols-[auto_minmax(0,1fr)] @max-[40em]:gap-x-6 @max-[16em]:grid-cols-1">
        <dl className="contents">
          <Fact term="Current streak">
            <StreakValue count={streaks?.current} frequency={frequency} />
          </Fact>
          <Fact term="Longest streak">
            <StreakValue count={streaks?.longest} frequency={frequency} />
          </Fact>
          <Fact term={`Completion rate, last ${frequency === 'daily' ? '30 days' : '12 weeks'}`}>
            <RateValue count={count(rateRange(today, rhythm).from)} failed={failed} />
          </Fact>
          <Fact term={`Completion rate since ${dayAndMonth(start_date, today)}`}>
            <RateValue count={count(start_date)} failed={failed} />
          </Fact>
        </dl>
        {!failed && <Legend />}
      </div>
      <div className="mt-4">
        {failed ? (
          <div
            role="alert"
            className="flex min-h-[calc(1rem+93px)] flex-wrap items-center gap-x-4 gap-y-2 text-control text-ink-2"
          >
            <p>The year couldn't be loaded. {problem && formatRequestProblem(problem)}</p>
            <Button variant="secondary" onClick={retry}>
              Try again
            </Button>
          </div>
        ) : (
          <HeatMap
            habit={habit}
            days={days}
            completed={completed}
            today={today}
            weekStart={weekStart}
            onSet={(day, done) => actions.completeDay(habit, day, done, days)}
          />
        )}
      </div>
      {/* In a wide row they are beside the name and at the end of the row instead. */}
      <div className="mt-4 flex flex-wrap justify-end gap-2 @min-[40em]:hidden">
        <Button variant="secondary" aria-label="Edit habit" onClick={() => onEdit(true)}>
          <Pencil />
          Edit
        </Button>
        <Button variant="danger" aria-label="Delete habit" onClick={() => actions.remove(habit)}>
          <Trash2 />
          Delete
        </Button>
      </div>
      <HabitDialog
        open={editing}
        onClose={() => onEdit(false)}
        habit={habit}
        save={(_, changes) => actions.change(habit, changes, days)}
      />
    </div>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-small text-ink-3">{term}</dt>
      <dd className="text-control text-ink-2 tabular-nums">{children}</dd>
    </div>
  )
}

const numberLook = 'text-body font-semibold text-ink'

function StreakValue({ count, frequency }: { count: number | undefined; frequency: Frequency }) {
  if (count === undefined) return <Unknown>shown when you're online</Unknown>
  return (
    <>
      <span className={numberLook}>{integerFormat.format(count)}</span> {unitOf(count, frequency)}
    </>
  )
}

/** A rate is never shown without its counts. */
function RateValue({ count, failed }: { count: PeriodCounts | undefined; failed: boolean }) {
  if (!count && failed) return <Unknown>not loaded</Unknown>
  if (!count) return <span className="my-1 block h-4 w-20 rounded-box bg-heat-0" />
  if (count.due === 0) return <Unknown>nothing due yet</Unknown>
  return (
    <>
      <span className={numberLook}>{formatPercent(count)}</span> {integerFormat.format(count.done)} of{' '}
      {integerFormat.format(count.due)}
    </>
  )
}

function Unknown({ children }: { children: string }) {
  return (
    <>
      <span aria-hidden="true" className="text-body">
        –
      </span>
      <span className="sr-only">{children}</span>
    </>
  )
}

/** Hidden from screen readers: each day of the year says in its label whether it was done. */
function Legend() {
  return (
    <p aria-hidden="true" className="ml-auto flex gap-4 text-small text-ink-2 @max-[40em]:hidden">
      {(['Done', 'Not done'] as const).map((label) => (
        <span key={label} className="flex items-center gap-2">
          <span
            className={cn(
              'size-3 rounded-cell',
              label === 'Done' ? 'bg-heat-4 forced-colors:bg-[Highlight]' : 'bg-heat-0 forced-colors:border',
            )}
          />
          {label}
        </span>
      ))}
    </p>
  )
}
