import { Bell, ChevronDown, Minus, Pencil, Plus, Trash2 } from 'lucide-react'
import { memo, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Reminder } from '#features/reminders/reminder/reminder.ts'
import { keyShortcutsOf } from '#platform/browser/keyboard/shortcuts.ts'
import { addDays, type Day, dayNumber } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { shortDay } from '#platform/format/short-day.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { EditedDay } from '../days/web/day-editor.tsx'
import { lookOf } from '../days/web/day-looks.ts'
import { DayStrip } from '../days/web/day-strip.tsx'
import { PartFill, PauseSign } from '../days/web/part-fill.tsx'
import { useHold } from '../days/web/use-hold.ts'
import type { HabitActions } from '../editing/use-habit-actions.ts'
import { type CountedFor, type CountedHabit, countHabit, pausesOn } from '../habit/counted-habit.ts'
import type { HabitFacts } from '../habit/habit-facts.ts'
import { moveHabit } from '../habit/web/habit-shortcuts.ts'
import type { PauseRow } from '../pauses/pause.ts'
import { formatReminder } from '../reminder/web/format-reminder.ts'
import { statesOf } from '../rhythm/day-state.ts'
import { periodKindOf } from '../rhythm/rhythm.ts'
import { badgeWords, type Progress, progressOf } from '../rhythm/web/rhythm-words.ts'
import { unitOf } from '../rhythm/web/target-words.ts'
import { Unfolding } from './unfolding.tsx'

interface HabitListRowProps {
  habit: HabitFacts
  counted: CountedFor
  actions: HabitActions
  /** Whether the person came here from elsewhere to see this habit: the row then opens and gets the focus. */
  isSought: boolean
  onEditDay(edited: EditedDay): void
  /** Opens the dialog that pauses the habit. */
  onPause(habit: HabitFacts): void
}

// `--middle` is the distance from the row's upper edge, without padding, to the middle of its first lines. The content beside a
// long text aligns there.
export const rowColumns =
  'grid-cols-[32px_minmax(0,1fr)_auto_224px_4.5rem_3.5rem_68px] @max-[40em]:grid-cols-[32px_minmax(0,1fr)_auto] @max-[16em]:grid-cols-[32px_minmax(0,1fr)]'

const rowLook = cn('grid items-start py-2 [--middle:1.375rem] @max-[40em]:pt-3', rowColumns)

const itemLook = cn(
  'group/row relative -mx-3 px-3 @max-[40em]:-mx-2 @max-[40em]:px-2',
  'data-dragged:opacity-40',
  // An open card has its own edge, so the row above it needs no line.
  'has-[+[data-open]]:shadow-none',
)

const closedLook = cn(
  'rounded-control hover:bg-hover data-gripped:bg-hover @max-[40em]:rounded-none @max-[40em]:shadow-[0_1px_0_var(--line)]',
)

const openLook = cn(
  'z-1 mb-2 rounded-card bg-raised ring ring-line',
  '@max-[40em]:rounded-card @max-[40em]:shadow-[0_0_0_1px_var(--line)]',
)

// On touch screens, paler but always visible. Otherwise shown on hover, on keyboard focus and in the open card.
const deleteLook = cn(
  '[&>svg]:invisible group-hover/row:[&>svg]:visible group-has-focus-visible/row:[&>svg]:visible',
  'pointer-coarse:text-edge pointer-coarse:[&>svg]:visible [@media(hover:none)]:[&>svg]:visible',
)

export const HabitListRow = memo(function HabitListRow({
  habit,
  counted,
  actions,
  isSought,
  onEditDay,
  onPause,
}: HabitListRowProps) {
  const [open, setOpen] = useState(false)
  const [editing, setEditing] = useState(false)
  const card = useId()
  const nameButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isSought) return
    setOpen(true)
    nameButton.current?.focus()
  }, [isSought])
  const Card = usePart(LazyHabitCard, open)
  const { today, calendar } = counted
  const count = countHabit(habit, counted)
  const { track, completed, streaks, strength, rhythm, target, now } = count
  const { name, description } = habit
  const days = statesOf(track, { from: addDays(today, -6), to: today }, today).map((state) => ({
    ...lookOf(track, state, today),
    day: state.day,
  }))
  const ofToday = days.at(-1)
  const pauses = pausesOn(habit, counted)
  const [pause] = pauses
  const progress = pause ? undefined : progressOf(now, track.amounts.get(dayNumber(today)) ?? null)
  const editDay = (day: Day, anchor: HTMLElement) => onEditDay({ habit, day, anchor })
  const hasAmount = target !== 'yes' && !pause

  return (
    <li
      data-row={habit.id}
      data-open={open || undefined}
      className={cn(itemLook, open ? openLook : closedLook)}
    >
      <div
        className={cn(
          rowLook,
          description === '' && !progress && !pause && '@max-[40em]:[--middle:0.75rem]',
          '@max-[16em]:[--middle:0.75rem]',
        )}
      >
        <span className="relative mt-[calc(var(--middle)-10px)] grid size-5">
          <Checkbox
            aria-label={name}
            aria-keyshortcuts={keyShortcutsOf(moveHabit)}
            checked={completed}
            onChange={(event) => actions.completeToday(habit, event.currentTarget.checked, today)}
          />
          {!completed && ofToday && <PartFill part={ofToday.part} isLimit={ofToday.isLimit} />}
          {!completed && pause && <PauseSign />}
        </span>
        <div className="relative flex min-h-11 min-w-0 flex-col justify-center pr-3 @max-[40em]:min-h-0 @max-[16em]:pr-0">
          <p className="flex flex-wrap items-center gap-x-2 text-body">
            <button
              ref={nameButton}
              data-title
              type="button"
              dir="auto"
              aria-expanded={open}
              aria-controls={card}
              onClick={() => setOpen(!open)}
              className={cn(
                'min-w-0 rounded-box text-left font-medium wrap-anywhere after:absolute after:inset-0',
                pause && 'text-ink-3',
              )}
            >
              {name}
            </button>
            <span
              className={cn(
                'my-0.5 rounded-box px-2 py-0.5 text-small font-medium text-ink-2',
                'every' in rhythm && rhythm.every === 1 ? 'bg-heat-0' : 'ring ring-line ring-inset',
              )}
            >
              {badgeWords(rhythm, target, calendar.weekStart)}
            </span>
            {habit.reminder && <ReminderNote reminder={habit.reminder} />}
            {open && (
              <Button
                variant="icon"
                aria-label="Edit habit"
                onClick={() => setEditing(true)}
                className="-my-2.5 z-1 @max-[40em]:hidden"
              >
                <Pencil />
              </Button>
            )}
          </p>
          {pause && <p className="text-control text-ink-3">{pauseWords(pause, today)}</p>}
          {progress && (
            <p className="text-control text-ink-3">
              <ProgressLine progress={progress} />
              {hasAmount && streaks && (
                <span className="@min-[40em]:hidden">
                  , <StreakCount count={streaks.current} unit={streaks.unit} />
                </span>
              )}
            </p>
          )}
          {description !== '' && (
            <p
              dir="auto"
              className={cn(
                'text-control text-ink-3 wrap-anywhere',
                open ? 'whitespace-pre-line' : 'line-clamp-2 @max-[16em]:line-clamp-none',
              )}
            >
              {description}
            </p>
          )}
        </div>
        {hasAmount && (
          <span className="mt-[calc(var(--middle)-16px)] flex gap-1 pr-3 pointer-coarse:-my-1.5 pointer-coarse:mt-[calc(var(--middle)-22px)] @max-[40em]:pr-0 @max-[16em]:col-start-2 @max-[16em]:my-1">
            <AmountSteps
              name={name}
              onStep={(by) => actions.addStep(habit, today, by)}
              onEnter={(anchor) => editDay(today, anchor)}
            />
          </span>
        )}
        {pause && (
          <Button
            variant="quiet"
            onClick={() => actions.resume(pause.habit_id === null ? null : habit, pauses)}
            className="mt-[calc(var(--middle)-16px)] mr-3 min-h-8 px-2 pointer-coarse:-my-1.5 pointer-coarse:mt-[calc(var(--middle)-22px)] @max-[40em]:hidden"
          >
            {pause.habit_id === null ? 'Resume all' : 'Resume'}
          </Button>
        )}
        <DayStrip
          name={name}
          days={days}
          weeksFrom={periodKindOf(rhythm, target) === 'week' ? track.weekStart : undefined}
          onSet={(day, state) => actions.setDay(habit, day, state)}
          onEdit={editDay}
          className="col-start-4 mt-[calc(var(--middle)-16px)] h-8 @max-[40em]:order-last @max-[40em]:col-span-full @max-[40em]:col-start-1 @max-[40em]:mt-1 @max-[40em]:h-11"
        />
        <p
          className={cn(
            'mt-[calc(var(--middle)-0.75rem)] text-right text-control whitespace-nowrap text-ink-3 @max-[16em]:col-start-2 @max-[16em]:mt-1 @max-[16em]:text-left',
            hasAmount && '@max-[40em]:hidden',
          )}
        >
          <span className="sr-only">Current streak: </span>
          {streaks ? <StreakCount count={streaks.current} unit={streaks.unit} isLarge /> : <Unknown />}
        </p>
        <p className="mt-[calc(var(--middle)-0.75rem)] text-right text-control leading-6 whitespace-nowrap text-ink-3 tabular-nums @max-[40em]:hidden">
          <span className="sr-only">Strength: </span>
          {strength === undefined ? <Unknown /> : <StrengthValue strength={strength} />}
        </p>
        <span className="mt-[calc(var(--middle)-16px)] -mr-2 flex justify-end pointer-coarse:mt-[calc(var(--middle)-22px)] @max-[40em]:hidden">
          <Button
            variant="icon"
            aria-label="Delete habit"
            onClick={() => actions.remove(habit)}
            className={open ? undefined : deleteLook}
          >
            <Trash2 />
          </Button>
          {/* The name is a button that opens the row too, for people who do not use a pointer. */}
          <Button variant="icon" tabIndex={-1} aria-hidden="true" onClick={() => setOpen(!open)}>
            <ChevronDown className={cn('transition-transform duration-180', open && 'rotate-180')} />
          </Button>
        </span>
      </div>
      <div id={card}>
        {Card && (
          <Unfolding open={open}>
            <Card
              habit={habit}
              count={count}
              counted={counted}
              pauses={pauses}
              actions={actions}
              editing={editing}
              onEdit={setEditing}
              onEditDay={editDay}
              onPause={() => onPause(habit)}
            />
          </Unfolding>
        )}
      </div>
    </li>
  )
})

const LazyHabitCard = lazyPart(() => import('../card/habit-card.tsx'), 'HabitCard', 'with the screen')

function pauseWords({ habit_id, from_day, to_day }: PauseRow, today: Day): string {
  const what = habit_id === null ? 'All habits are paused' : 'Paused'
  return to_day === null
    ? `${what} since ${shortDay(from_day, today)}`
    : `${what} until ${shortDay(to_day, today)}`
}

/** The progress of a habit that takes more than one tick. */
function ProgressLine({ progress: { before, reached, after } }: { progress: Progress }) {
  return (
    <>
      {before}
      <span className="font-medium text-ink tabular-nums">{reached}</span>
      {after}
    </>
  )
}

interface AmountStepsProps {
  name: string
  onStep(by: 1 | -1): void
  /** Opens the day editor beside the button that was pressed long. */
  onEnter(anchor: HTMLElement): void
}

/** Two buttons that add and subtract a step. A long press opens the day editor. */
function AmountSteps({ name, onStep, onEnter }: AmountStepsProps) {
  const hold = useHold()
  const buttons: [1 | -1, string, ReactNode][] = [
    [-1, `Less: ${name}`, <Minus key="less" />],
    [1, `More: ${name}`, <Plus key="more" />],
  ]
  return buttons.map(([by, label, icon]) => (
    <Button
      key={by}
      variant="secondary"
      size="icon"
      aria-label={label}
      {...hold({ onPress: () => onStep(by), onHold: onEnter, onMenu: onEnter })}
      className="touch-manipulation text-ink [-webkit-touch-callout:none]"
    >
      {icon}
    </Button>
  ))
}

/** The time of the habit's reminder. */
function ReminderNote({ reminder }: { reminder: Reminder }) {
  return (
    <span className="flex items-center gap-1 text-small text-ink-3 tabular-nums">
      <Bell size={14} className="shrink-0" />
      <span>
        <span className="sr-only">Reminder: </span>
        {formatReminder(reminder)}
      </span>
    </span>
  )
}

interface StreakCountProps {
  count: number
  unit: NonNullable<CountedHabit['streaks']>['unit']
  isLarge?: boolean
}

function StreakCount({ count, unit, isLarge = false }: StreakCountProps) {
  return (
    <>
      <span className={cn('tabular-nums', isLarge && 'text-body', count > 0 && 'font-semibold text-ink')}>
        {integerFormat.format(count)}
      </span>{' '}
      {unitOf(count, unit)}
    </>
  )
}

/** `strength` is null while too little is known. */
function StrengthValue({ strength }: { strength: number | null }) {
  if (strength !== null) return `${Math.round(strength)}%`
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">shown after 14 days</span>
    </>
  )
}

function Unknown() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">shown when you're online</span>
    </>
  )
}
