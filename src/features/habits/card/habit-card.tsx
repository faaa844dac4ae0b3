import { Archive, Minus, Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { addDays, type Day, dayNumber } from '#platform/calendar/day.ts'
import { dayAndMonth } from '#platform/format/format-day.ts'
import { formatPercent, integerFormat } from '#platform/format/format-number.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { useKeptWhileEdited } from '#platform/sync/react/use-kept-while-edited.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { useHabitDays } from '../days/web/use-habit-days.ts'
import { HabitDialog } from '../editing/habit-dialog.tsx'
import type { HabitActions } from '../editing/use-habit-actions.ts'
import { type CountedFor, type CountedHabit, strengthOfFacts } from '../habit/counted-habit.ts'
import type { HabitFacts } from '../habit/habit-facts.ts'
import { habitCollection } from '../habit/web/habit-queries.ts'
import type { PauseRow } from '../pauses/pause.ts'
import { trackOf } from '../rhythm/habit-track.ts'
import { meanPeriodDays, periodKindOf, streakUnitOf } from '../rhythm/rhythm.ts'
import { rhythmSentence } from '../rhythm/web/rhythm-words.ts'
import { unitOf } from '../rhythm/web/target-words.ts'
import { countResults, listedRateRange, type PeriodCounts } from '../strength/completion-rate.ts'
import { HeatMap } from './heat-map.tsx'
import { StrengthTable } from './strength-table.tsx'

export interface HabitCardProps {
  habit: HabitFacts
  count: CountedHabit
  counted: CountedFor
  /** The pauses that apply today. */
  pauses: readonly PauseRow[]
  actions: HabitActions
  /** Whether the edit dialog is open. */
  editing: boolean
  onEdit(editing: boolean): void
  onEditDay(day: Day, anchor: HTMLElement): void
  onPause(): void
}

/** The details of an open habit: its numbers, its year and further actions. Load it lazily, with `lazyPart`. */
export function HabitCard(props: HabitCardProps) {
  const { habit, count, counted, pauses, actions, editing, onEdit, onEditDay, onPause } = props
  const { days, notes, failed, problem, retry } = useHabitDays(habit, counted)
  useKeptWhileEdited(habitCollection, habit, editing)
  const [summing, setSumming] = useState(false)
  const { today, calendar } = counted
  const { start_date } = habit
  const { rhythm, target, streaks, strength, track } = count
  const all = days && trackOf(days)
  const countIn = (from: Day) => all && countResults(all, { from, to: today }, today)
  const former = streaks
    ? (['days', 'weeks', 'months', 'times'] as const).filter(
        (unit) => unit !== streaks.unit && streaks.records[unit] > 0,
      )
    : []
  const isSkipped = track.skipped.has(dayNumber(today))
  const [pause] = pauses

  return (
    <div className="pt-2 pb-4 pl-8 @max-[40em]:pt-0 @max-[40em]:pl-0">
      <div className="flex flex-wrap items-end gap-x-10 gap-y-3 @max-[40em]:grid @max-[40em]:grid-cols-[auto_minmax(0,1fr)] @max-[40em]:gap-x-6 @max-[16em]:grid-cols-1">
        <dl className="contents">
          <Fact term="Current streak">
            <StreakValue count={streaks?.current} unit={streaks?.unit ?? streakUnitOf(rhythm, target)} />
          </Fact>
          <Fact term="Longest streak">
            <StreakValue count={streaks?.longest} unit={streaks?.unit ?? streakUnitOf(rhythm, target)} />
          </Fact>
          {former.map((unit) => (
            <Fact key={unit} term={`Longest streak of ${unit}`}>
              <StreakValue count={streaks?.records[unit]} unit={unit} />
            </Fact>
          ))}
          <Fact term="Strength">
            {typeof strength === 'number' ? (
              <>
                <span className={numberLook}>{Math.round(strength)}%</span> {strengthWord(strength)}{' '}
                <button
                  type="button"
                  aria-expanded={summing}
                  onClick={() => setSumming(!summing)}
                  className="min-h-6 rounded-box text-accent underline pointer-coarse:min-h-11"
                >
                  {summing ? 'Hide the sum' : 'How it is summed'}
                </button>
              </>
            ) : (
              <Unknown visible={strength === null}>
                {strength === null
                  ? today < addDays(start_date, 14)
                    ? `shown from ${dayAndMonth(addDays(start_date, 14), today)}`
                    : 'nothing counted yet'
                  : "shown when you're online"}
              </Unknown>
            )}
          </Fact>
          <Fact term={`Completion rate, ${rateSpan(count)}`}>
            <RateValue count={countIn(listedRateRange(track, today).from)} failed={failed} />
          </Fact>
          <Fact term={`Completion rate since ${dayAndMonth(start_date, today)}`}>
            <RateValue count={countIn(start_date)} failed={failed} />
          </Fact>
        </dl>
      </div>
      <p className="mt-3 text-control text-ink-2">{rhythmSentence(rhythm, target, calendar.weekStart)}</p>
      {summing && <StrengthTable sum={strengthOfFacts(habit, track, today)} today={today} />}
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
            name={habit.name}
            track={all}
            notes={notes}
            today={today}
            weekStart={calendar.weekStart}
            onSet={(day, state) => actions.setDay(habit, day, state, days)}
            onEdit={onEditDay}
          />
        )}
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          variant="secondary"
          onClick={() => actions.setDay(habit, today, isSkipped ? 'none' : 'skipped')}
        >
          <Minus />
          {isSkipped ? "Don't skip today" : 'Skip today'}
        </Button>
        {pause ? (
          <Button
            variant="secondary"
            onClick={() => actions.resume(pause.habit_id === null ? null : habit, pauses)}
          >
            <Play />
            {pause.habit_id === null ? 'Resume all habits' : 'Resume'}
          </Button>
        ) : (
          <Button variant="secondary" onClick={onPause}>
            <Pause />
            Pause…
          </Button>
        )}
        <Button variant="secondary" onClick={() => actions.setArchived(habit, true)}>
          <Archive />
          Archive
        </Button>
        {/* In wide rows, these buttons are beside the name and at the end of the row instead. */}
        <span className="ml-auto flex flex-wrap justify-end gap-2 @min-[40em]:hidden">
          <Button variant="secondary" aria-label="Edit habit" onClick={() => onEdit(true)}>
            <Pencil />
            Edit
          </Button>
          <Button variant="danger" aria-label="Delete habit" onClick={() => actions.remove(habit)}>
            <Trash2 />
            Delete
          </Button>
        </span>
      </div>
      <HabitDialog
        open={editing}
        onClose={() => onEdit(false)}
        habit={{ ...habit, rhythm, target }}
        save={(_, changes) => actions.change(habit, changes, days)}
      />
    </div>
  )
}

/** The period that the completion rate of a listed habit covers. */
function rateSpan({ rhythm, target }: CountedHabit): string {
  if (periodKindOf(rhythm, target) === 'month') return 'last 12 months'
  return meanPeriodDays(rhythm, target) < 7 ? 'last 30 days' : 'last 12 weeks'
}

function strengthWord(strength: number): string {
  if (strength >= 80) return 'strong'
  if (strength >= 50) return 'growing'
  return strength >= 20 ? 'weak' : 'just begun'
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

function StreakValue({
  count,
  unit,
}: {
  count: number | undefined
  unit: NonNullable<CountedHabit['streaks']>['unit']
}) {
  if (count === undefined) return <Unknown>shown when you're online</Unknown>
  return (
    <>
      <span className={numberLook}>{integerFormat.format(count)}</span> {unitOf(count, unit)}
    </>
  )
}

/** Always shows a rate together with its counts. */
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

function Unknown({ visible = false, children }: { visible?: boolean; children: string }) {
  return (
    <>
      <span aria-hidden="true" className="text-body">
        –
      </span>
      {visible ? ` ${children}` : <span className="sr-only">{children}</span>}
    </>
  )
}
