import { Bell, ChevronDown, Pencil, Trash2 } from 'lucide-react'
import { memo, useEffect, useId, useRef, useState } from 'react'
import type { Reminder } from '#features/reminders/reminder.ts'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { type CountedHabit, countHabit, type HabitFacts } from '../counted-habit.ts'
import type { Frequency } from '../streak.ts'
import { DayStrip } from './day-strip.tsx'
import { formatReminder } from './format-reminder.ts'
import { unitOf } from './format-streak.ts'
import { HabitCard } from './habit-card.tsx'
import { Unfolding } from './unfolding.tsx'
import type { HabitActions } from './use-habit-actions.ts'

interface HabitRowProps {
  habit: HabitFacts
  today: Day
  weekStart: WeekStart
  actions: HabitActions
  /** Somebody looked for it elsewhere: it is opened, and has the focus. */
  isSought: boolean
}

// --middle is the distance from the row's upper edge, without its padding, to the middle of the first lines: what is
// beside long text is aligned there.
const rowLook = cn(
  'grid grid-cols-[32px_minmax(0,1fr)_224px_5.75rem_68px] items-start py-2 [--middle:1.375rem]',
  '@max-[40em]:grid-cols-[32px_minmax(0,1fr)_auto] @max-[40em]:pt-3 @max-[16em]:grid-cols-[32px_minmax(0,1fr)]',
)

const itemLook = cn(
  'group/row relative -mx-3 px-3 @max-[40em]:-mx-2 @max-[40em]:px-2',
  // An open card has its own edge.
  'has-[+[data-open]]:shadow-none',
)

const closedLook = cn(
  'rounded-control hover:bg-hover @max-[40em]:rounded-none @max-[40em]:shadow-[0_1px_0_var(--line)]',
)

const openLook = cn(
  'z-1 mb-2 rounded-card bg-raised ring ring-line',
  '@max-[40em]:rounded-card @max-[40em]:shadow-[0_0_0_1px_var(--line)]',
)

// Paler but always visible on touch; otherwise shown for the pointer and the keyboard, and in the open card.
const deleteLook = cn(
  '[&>svg]:invisible group-hover/row:[&>svg]:visible group-has-focus-visible/row:[&>svg]:visible',
  'pointer-coarse:text-edge pointer-coarse:[&>svg]:visible [@media(hover:none)]:[&>svg]:visible',
)

export const HabitRow = memo(function HabitRow({
  habit,
  today,
  weekStart,
  actions,
  isSought,
}: HabitRowProps) {
  const [open, setOpen] = useState(false)
  const [editing, setEditing] = useState(false)
  const card = useId()
  const nameButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isSought) return
    setOpen(true)
    nameButton.current?.focus()
  }, [isSought])
  const { completed, recent, streaks } = countHabit(habit, today, weekStart)
  const { name, description, frequency } = habit

  return (
    <li
      data-row={habit.id}
      data-open={open || undefined}
      className={cn(itemLook, open ? openLook : closedLook)}
    >
      <div
        className={cn(
          rowLook,
          description === '' && '@max-[40em]:[--middle:0.75rem]',
          '@max-[16em]:[--middle:0.75rem]',
        )}
      >
        <Checkbox
          aria-label={name}
          checked={completed}
          onChange={(event) => actions.completeToday(habit, event.currentTarget.checked, today)}
          className="mt-[calc(var(--middle)-10px)]"
        />
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
              className="min-w-0 rounded-box text-left font-medium wrap-anywhere after:absolute after:inset-0"
            >
              {name}
            </button>
            <FrequencyBadge frequency={frequency} />
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
        <DayStrip
          name={name}
          days={daysFrom(addDays(today, -6), today)}
          done={recent}
          startDay={habit.start_date}
          frequency={frequency}
          completed={completed}
          onSet={(day, done) => actions.completeDay(habit, day, done, undefined)}
          className="mt-[calc(var(--middle)-16px)] h-8 @max-[40em]:order-last @max-[40em]:col-span-full @max-[40em]:mt-1 @max-[40em]:h-11"
        />
        <Streak
          streaks={streaks}
          frequency={frequency}
          className="mt-[calc(var(--middle)-0.75rem)] @max-[16em]:col-start-2 @max-[16em]:mt-1"
        />
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
        <Unfolding open={open}>
          <HabitCard
            habit={habit}
            streaks={streaks}
            completed={completed}
            today={today}
            weekStart={weekStart}
            actions={actions}
            editing={editing}
            onEdit={setEditing}
          />
        </Unfolding>
      </div>
    </li>
  )
})

/** How often a habit is due. */
function FrequencyBadge({ frequency }: { frequency: Frequency }) {
  return (
    <span
      className={cn(
        'my-0.5 rounded-box px-2 py-0.5 text-small font-medium text-ink-2',
        frequency === 'daily' ? 'bg-heat-0' : 'ring ring-line ring-inset',
      )}
    >
      {frequency === 'daily' ? 'Daily' : 'Weekly'}
    </span>
  )
}

/** When the person is reminded of it. */
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

interface StreakProps extends Pick<CountedHabit, 'streaks'> {
  frequency: Frequency
  className?: string
}

function Streak({ streaks, frequency, className }: StreakProps) {
  const current = streaks?.current
  return (
    <p
      className={cn('text-right text-control whitespace-nowrap text-ink-3 @max-[16em]:text-left', className)}
    >
      <span className="sr-only">Current streak: </span>
      {current === undefined ? (
        <>
          <span aria-hidden="true">–</span>
          <span className="sr-only">shown when you're online</span>
        </>
      ) : (
        <>
          <span className={cn('text-body tabular-nums', current > 0 && 'font-semibold text-ink')}>
            {integerFormat.format(current)}
          </span>{' '}
          {unitOf(current, frequency)}
        </>
      )}
    </p>
  )
}
