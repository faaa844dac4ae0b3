import { Link } from '@tanstack/react-router'
import { Minus, Plus, Timer } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { useStartTimer } from '#platform/browser/start-timer.ts'
import { dayNumber } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { EditedDay } from '../days/web/day-editor.tsx'
import { PartFill } from '../days/web/part-fill.tsx'
import { type DayActions, useDayActions } from '../days/web/use-day-actions.ts'
import { useHold } from '../days/web/use-hold.ts'
import type { CountedHabit } from '../habit/counted-habit.ts'
import type { HabitFacts } from '../habit/habit-facts.ts'
import { type DueHabit, useHabitsDue } from '../habit/web/use-habits-due.ts'
import { usePauses } from '../pauses/web/use-pauses.ts'
import { type AmountTarget, isSummed } from '../rhythm/rhythm.ts'
import { formatAmount, unitOf } from '../rhythm/web/target-words.ts'

/** How many habits are due today, how many of these are done, and how many are shown. */
export interface DueCount {
  due: number
  done: number
  shown: number
}

interface DueHabitsProps {
  /** Whether the texts of a row match the person's search; undefined while they are not searching. */
  isSought: ((title: string, ...more: readonly string[]) => boolean) | undefined
  /** Called once the counts are known, and whenever they change. */
  onCount(count: DueCount): void
}

/** The habits that are due today, each with its tick. A done habit stays in its place. */
export function DueHabits({ isSought, onCount }: DueHabitsProps) {
  const { due: all, problem } = useHabitsDue()
  const due = all?.filter(({ habit: { name, description } }) => !isSought || isSought(name, description))
  const shown = due?.length ?? 0
  const allDone = all?.filter(({ count }) => count.completed).length ?? 0
  useEffect(() => {
    if (all) onCount({ due: all.length, done: allDone, shown })
  }, [all, allDone, shown, onCount])
  const today = useToday()
  const calendar = useUserCalendar()
  const pauses = usePauses()
  const actions = useDayActions()
  const heading = useId()
  const [edited, setEdited] = useState<EditedDay>()
  const [editing, setEditing] = useState(false)
  const DayEditor = usePart(LazyDayEditor, editing)
  if (problem && !due) {
    return (
      <p role="alert" className="mt-6 text-control text-ink-2">
        Your habits couldn't be loaded. {formatRequestProblem(problem)}
      </p>
    )
  }
  if (!due || due.length === 0) return null
  const done = due.filter(({ count }) => count.completed).length
  const of = due.find(({ habit }) => habit.id === edited?.habit.id)
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="mt-4 mb-1 py-0.5 text-control font-medium text-ink-2">
        Habits{' '}
        <span className="ml-1 font-normal text-ink-3 tabular-nums">
          {integerFormat.format(done)} of {integerFormat.format(due.length)}
        </span>
      </h2>
      <ul aria-labelledby={heading} className="[list-style-type:'']">
        {due.map((each) => (
          <DueRow
            key={each.habit.id}
            {...each}
            actions={actions}
            onEnter={(anchor) => {
              setEdited({ habit: each.habit, day: today, anchor })
              setEditing(true)
            }}
          />
        ))}
      </ul>
      {DayEditor && edited && of && pauses && (
        <DayEditor
          key={of.habit.id}
          open={editing}
          edited={{ ...edited, habit: of.habit }}
          counted={{ today, calendar, pauses }}
          actions={actions}
          onClose={() => setEditing(false)}
        />
      )}
    </section>
  )
}

const LazyDayEditor = lazyPart(() => import('../days/web/day-editor.tsx'), 'DayEditor', 'after the screen')

interface DueRowProps extends DueHabit {
  actions: DayActions
  /** Opens the day editor beside the pressed element. */
  onEnter(anchor: HTMLElement): void
}

function DueRow({ habit, count, actions, onEnter }: DueRowProps) {
  const today = useToday()
  const { completed, target, now } = count
  const amount = count.track.amounts.get(dayNumber(today)) ?? 0
  const part = target !== 'yes' && !isSummed(target) && target.amount > 0 ? amount / target.amount : 0
  const startTimer = useStartTimer()
  const isTimes = now?.counts === 'times' && now.period.days > 1 && now.target > 1
  return (
    <li
      data-row={habit.id}
      className="group/row -mx-3 flex min-h-10 items-start gap-x-3 rounded-control px-3 hover:bg-hover pointer-coarse:-mx-4 pointer-coarse:min-h-12 pointer-coarse:px-4"
    >
      <span className="relative mt-[calc(0.75rem-2px)] grid size-5 shrink-0 pointer-coarse:mt-[calc(0.75rem+4px)]">
        <Checkbox
          aria-label={habit.name}
          checked={completed}
          onChange={(event) => actions.completeToday(habit, event.currentTarget.checked, today)}
        />
        {!completed && <PartFill part={part} isLimit={target !== 'yes' && target.at === 'most'} />}
      </span>
      <Link
        to="/habits"
        search={{ habit: habit.id }}
        data-title
        tabIndex={-1}
        dir="auto"
        className={cn('min-w-0 flex-1 py-2 wrap-anywhere pointer-coarse:py-3.5', completed && 'text-ink-3')}
      >
        {habit.name}
      </Link>
      {!completed && (
        <Button
          variant="icon"
          aria-label={`Start the timer: ${habit.name}`}
          onClick={() => startTimer({ habit_id: habit.id })}
          className="mt-1 -mr-1 [&>svg]:invisible group-hover/row:[&>svg]:visible group-has-focus-visible/row:[&>svg]:visible pointer-coarse:mt-0.5 pointer-coarse:text-edge pointer-coarse:[&>svg]:visible [@media(hover:none)]:[&>svg]:visible"
        >
          <Timer />
        </Button>
      )}
      {target !== 'yes' ? (
        <Amount
          habit={habit}
          amount={isSummed(target) ? (now?.reached ?? amount) : amount}
          target={target}
          onStep={(by) => actions.addStep(habit, today, by)}
          onEnter={onEnter}
        />
      ) : isTimes && now ? (
        <Times {...now} />
      ) : (
        <Streak streaks={count.streaks} />
      )}
    </li>
  )
}

const factLook = 'shrink-0 py-2.5 text-control whitespace-nowrap text-ink-3 pointer-coarse:py-4'

interface AmountProps {
  habit: HabitFacts
  amount: number
  target: AmountTarget
  onStep(by: 1 | -1): void
  onEnter(anchor: HTMLElement): void
}

/** The amount so far. The + button, which adds a step, is always visible; the − button only appears for a mouse or keyboard. */
function Amount({ habit, amount, target, onStep, onEnter }: AmountProps) {
  const hold = useHold()
  const span = isSummed(target) ? ` this ${target.per}` : ''
  const press = (by: 1 | -1) => hold({ onPress: () => onStep(by), onHold: onEnter, onMenu: onEnter })
  return (
    <span className="flex shrink-0 flex-wrap items-center justify-end gap-1 py-1 pointer-coarse:py-0.5">
      <button
        type="button"
        aria-label={`Enter an amount: ${habit.name}`}
        onClick={(event) => onEnter(event.currentTarget)}
        className="min-h-8 rounded-box px-1 text-control whitespace-nowrap text-ink-3 hover:text-ink pointer-coarse:min-h-11"
      >
        <span className="font-medium text-ink tabular-nums">{formatAmount(amount)}</span> of{' '}
        {target.at === 'most' && 'at most '}
        {formatAmount(target.amount)} {target.unit}
        {span}
      </button>
      <Button
        variant="icon"
        aria-label={`Less: ${habit.name}`}
        {...press(-1)}
        className="[&>svg]:invisible group-hover/row:[&>svg]:visible group-has-focus-visible/row:[&>svg]:visible pointer-coarse:hidden"
      >
        <Minus />
      </Button>
      <Button
        variant="secondary"
        size="icon"
        aria-label={`More: ${habit.name}`}
        {...press(1)}
        className="touch-manipulation text-ink [-webkit-touch-callout:none]"
      >
        <Plus />
      </Button>
    </span>
  )
}

/** One square for each time, filled if done. */
function Times({ reached, target, period }: NonNullable<CountedHabit['now']>) {
  const { rhythm } = period.span
  const span = 'per' in rhythm ? `this ${rhythm.per}` : `in ${period.days} days`
  return (
    <p className={cn(factLook, 'flex items-center gap-2')}>
      {target <= 7 && (
        <span aria-hidden="true" className="flex gap-0.5">
          {Array.from({ length: target }, (_, place) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the squares are alike
              key={place}
              className={cn(
                'size-[11px] rounded-cell',
                place < reached
                  ? 'bg-accent forced-colors:bg-[Highlight]'
                  : 'shadow-[inset_0_0_0_1.5px_var(--accent)] forced-colors:border',
              )}
            />
          ))}
        </span>
      )}
      <span>
        <span className="font-medium text-ink tabular-nums">{reached}</span> of {target} {span}
      </span>
    </p>
  )
}

function Streak({ streaks }: Pick<CountedHabit, 'streaks'>) {
  if (streaks === undefined || streaks.current === 0) return null
  return (
    <p className={factLook}>
      <span className="sr-only">Current streak: </span>
      <span className="font-medium text-ink tabular-nums">{integerFormat.format(streaks.current)}</span>{' '}
      {unitOf(streaks.current, streaks.unit)}
    </p>
  )
}
