import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { troubleInWords } from '#platform/sync/trouble.ts'
import { Button } from '#platform/ui/button.tsx'
import { cn } from '#platform/ui/class-names.ts'
import { dayAndMonth } from '#platform/ui/day-words.ts'
import { inDigits, percentOf } from '#platform/ui/number-words.ts'
import { type CountedHabit, type HabitFacts, rhythmOfFacts } from '../counted-habit.ts'
import { type Frequency, type Kept, keptBetween, rateRange } from '../streak.ts'
import { HabitDialog } from './habit-dialog.tsx'
import { HeatMap } from './heat-map.tsx'
import { unitOf } from './streak-words.ts'
import { useCompletions } from './use-completions.ts'
import type { HabitActions } from './use-habit-actions.ts'

interface HabitCardProps extends Pick<CountedHabit, 'streaks' | 'completed'> {
  habit: HabitFacts
  today: Day
  weekStart: WeekStart
  actions: HabitActions
  /** Whether the dialog to change it is open. */
  editing: boolean
  onEdit(editing: boolean): void
}

/** What a habit shows when it is opened: its numbers, its year, and the ways to change or delete it. */
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
  const { days, failed, trouble, retry } = useCompletions(habit)
  const { frequency, start_date } = habit
  const rhythm = rhythmOfFacts(habit, weekStart)
  const kept = (from: Day) => days && keptBetween(days, { from, to: today }, start_date, today, rhythm)

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
            <RateValue kept={kept(rateRange(today, rhythm).from)} failed={failed} />
          </Fact>
          <Fact term={`Completion rate since ${dayAndMonth(start_date, today)}`}>
            <RateValue kept={kept(start_date)} failed={failed} />
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
            <p>The year couldn't be loaded. {trouble && troubleInWords(trouble)}</p>
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
      {/* In a wide row they stand beside the name and at the end of the row. */}
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
      <span className={numberLook}>{inDigits.format(count)}</span> {unitOf(count, frequency)}
    </>
  )
}

/** A rate never stands without its counts. */
function RateValue({ kept, failed }: { kept: Kept | undefined; failed: boolean }) {
  if (!kept && failed) return <Unknown>not loaded</Unknown>
  if (!kept) return <span className="my-1 block h-4 w-20 rounded-box bg-heat-0" />
  if (kept.due === 0) return <Unknown>nothing due yet</Unknown>
  return (
    <>
      <span className={numberLook}>{percentOf(kept)}</span> {inDigits.format(kept.done)} of{' '}
      {inDigits.format(kept.due)}
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

/** For the eye: each day of the year says in words whether it was done. */
function Legend() {
  return (
    <p aria-hidden="true" className="ml-auto flex gap-4 text-small text-ink-2 @max-[40em]:hidden">
      {(['Done', 'Not done'] as const).map((words) => (
        <span key={words} className="flex items-center gap-2">
          <span
            className={cn(
              'size-3 rounded-cell',
              words === 'Done' ? 'bg-heat-4 forced-colors:bg-[Highlight]' : 'bg-heat-0 forced-colors:border',
            )}
          />
          {words}
        </span>
      ))}
    </p>
  )
}
