import { type KeyboardEvent, type MouseEvent, useId, useMemo } from 'react'
import { dueOf } from '#features/todos/todo/shown-todo.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import type { Settlement } from '#features/todos/todo/web/todo-actions.ts'
import { skipDay } from '#features/todos/todo/web/todo-shortcuts.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { isTouch } from '#platform/browser/device/by-touch.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { monthsOf, weeksOfYear } from '#platform/calendar/year-of-days.ts'
import { monthAndYear, shortDate } from '#platform/format/format-day.ts'
import { shortDay } from '#platform/format/short-day.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { HiddenTable } from '#platform/ui/charts/hidden-table.tsx'
import { StepLine } from '#platform/ui/charts/step-line.tsx'
import { cellAt, useYearGrid } from '#platform/ui/charts/year-grid.tsx'
import { type YearDay, YearOfButtons, yearDayLooks } from '#platform/ui/charts/year-of-buttons.tsx'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Segments } from '#platform/ui/controls/segments.tsx'
import { announce } from '#platform/ui/layout/announcer.tsx'
import type { DayState, PastOrComing } from '../history.ts'
import { useHistory } from './use-history.ts'

interface TaskHistoryProps {
  todo: Todo
  today: Day
  settle(todo: Todo, day: Day, state: Settlement['state'], was?: Settlement): void
}

/** How many coming weeks are shown. */
const weeksAhead = 4

/**
 * The year of a repeating task, with a button for every day. A click completes the occurrence of that day, or reopens it. The
 * cells are too small for a finger, so a touch only selects a day. The line below tells the state of the selected day, and can
 * change it.
 */
export function TaskHistory({ todo, today, settle }: TaskHistoryProps) {
  const { weekStart } = useUserCalendar()
  const weeks = useMemo(() => weeksOfYear(today, weekStart, weeksAhead), [today, weekStart])
  const last = addDays(weeks.at(-1) ?? today, 6)
  const { days, arriving, problem, retry } = useHistory(todo, { from: weeks[0] ?? today, to: last }, today)
  const open = dueOf(todo, undefined, today)?.open?.day
  const grid = useYearGrid(weeks, last, open !== undefined && days.has(open) ? open : today)

  /**
   * Whether the person may change a day to the state `to`. An occurrence after the open one cannot be done yet, and a day whose
   * state only the server knows cannot be changed.
   */
  const canBecome = (day: Day, { state }: PastOrComing, to: Settled) => {
    if (state === 'unknown') return false
    const isAhead = day > today && open !== undefined && day > open
    return to !== 'done' || !isAhead
  }
  const set = (day: Day, to: Settled) => {
    const was = days.get(day)
    if (!was || !canBecome(day, was, to)) return
    settle(todo, day, to, { state: settledAs(was), done_on: was.done_on })
  }
  const press = (day: Day, event: MouseEvent) => {
    grid.choose(day)
    if (!isTouch(event)) set(day, days.get(day)?.state === 'done' ? 'open' : 'done')
  }
  const pressKey = (event: KeyboardEvent<HTMLElement>) => {
    grid.pressKey(event)
    const { day } = cellAt(event.target)
    if (day === undefined || !isPressed(skipDay, event) || event.ctrlKey || event.metaKey || event.repeat)
      return
    event.preventDefault()
    set(day, days.get(day)?.state === 'skipped' ? 'open' : 'skipped')
  }
  const chosen = days.get(grid.stop)
  const yearDayOf = (day: Day): YearDay => {
    const is = days.get(day)
    return {
      look: is ? lookOf[is.state] : 'dot',
      words: wordsFor(day, is, today),
      pressed: is && canBecome(day, is, 'done') ? is.state === 'done' : undefined,
    }
  }

  return (
    <>
      <div data-map="" className="relative">
        <YearOfButtons
          label={`History of ${todo.title}`}
          busy={arriving}
          weeks={weeks}
          last={last}
          today={today}
          grid={grid}
          dayOf={yearDayOf}
          nameOf={shortDate}
          onPress={press}
          onKeyDown={pressKey}
        />
      </div>
      <Legend states={new Set([...days.values()].map(({ state }) => state))} arriving={arriving} />
      {problem && (
        <div
          role="status"
          className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-control text-ink-2"
        >
          <p className="min-w-0 grow basis-40">
            What became of older days couldn't be loaded. {formatRequestProblem(problem)}
          </p>
          <Button variant="secondary" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      <DayChoice
        day={grid.stop}
        days={days}
        today={today}
        canBeDone={chosen !== undefined && canBecome(grid.stop, chosen, 'done')}
        onMove={(day) => {
          grid.choose(day)
          announce(`${shortDate(day)}, ${wordsFor(day, days.get(day), today)}`)
        }}
        onSet={(to) => set(grid.stop, to)}
      />
      <MonthTable title={todo.title} days={days} weeks={weeks} today={today} />
    </>
  )
}

type Settled = 'done' | 'skipped' | 'open'

function settledAs({ state }: PastOrComing): Settled {
  return state === 'done' || state === 'skipped' ? state : 'open'
}

function wordsFor(day: Day, is: PastOrComing | undefined, today: Day): string {
  if (!is) return 'not due'
  const { state, done_on, moved_to } = is
  if (state === 'done' && done_on !== null && done_on !== day) return `done on ${shortDay(done_on, today)}`
  if (state === 'due' && moved_to !== null) return `due, moved to ${shortDay(moved_to, today)}`
  return names[state].toLowerCase()
}

const names: Record<DayState, string> = {
  done: 'Done',
  skipped: 'Skipped',
  missed: 'Missed',
  due: 'Due',
  coming: 'To come',
  unknown: 'Not loaded',
}

const lookOf = {
  done: 'done',
  skipped: 'skipped',
  missed: 'missed',
  due: 'due',
  coming: 'coming',
  unknown: 'blank',
} as const satisfies Record<DayState, YearDay['look']>

/** Explains the states that are shown. Hidden from screen readers, because each day names its state in its label. */
function Legend({ states, arriving }: { states: ReadonlySet<DayState>; arriving: boolean }) {
  const shown = (['done', 'skipped', 'missed', 'due', 'coming', 'unknown'] as const).filter(
    (state) => states.has(state) && !(arriving && state === 'unknown'),
  )
  return (
    <p aria-hidden="true" className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-small text-ink-2">
      {shown.map((state) => (
        <span key={state} className="flex items-center gap-2">
          <span className={cn('relative size-[11px] shrink-0 rounded-cell', yearDayLooks[lookOf[state]])} />
          {names[state]}
        </span>
      ))}
    </p>
  )
}

interface DayChoiceProps {
  day: Day
  days: ReadonlyMap<Day, PastOrComing>
  today: Day
  canBeDone: boolean
  onMove(day: Day): void
  onSet(to: Settled): void
}

/** The selected day, and buttons for its state. The arrows lead to the previous and next due days. */
function DayChoice({ day, days, today, canBeDone, onMove, onSet }: DayChoiceProps) {
  const label = useId()
  const is = days.get(day)
  const inOrder = [...days.keys()].toSorted()
  const before = inOrder.findLast((each) => each < day)
  const after = inOrder.find((each) => each > day)
  return (
    <div className="mt-3 grid gap-2">
      <StepLine
        unit="due day"
        isFirst={before === undefined}
        isLast={after === undefined}
        onStep={(by) => {
          const to = by < 0 ? before : after
          if (to !== undefined) onMove(to)
        }}
        className="-mx-2 flex pointer-coarse:-mx-3"
      >
        <p id={label} className="min-w-0 grow text-center text-control text-ink">
          <span className="inline-block">{shortDate(day)},</span>{' '}
          <span className="inline-block text-ink-2">{wordsFor(day, is, today)}</span>
        </p>
      </StepLine>
      {/* Keeps its height, so that nothing below moves. */}
      <div className="min-h-10 pointer-coarse:min-h-11">
        {is && is.state !== 'unknown' && (
          <Segments
            aria-labelledby={label}
            value={settledAs(is)}
            onChange={onSet}
            options={[
              { value: 'done', label: 'Done', disabled: !canBeDone },
              { value: 'skipped', label: 'Skipped' },
              { value: 'open', label: 'Not done' },
            ]}
          />
        )}
      </div>
    </div>
  )
}

interface MonthTableProps extends Pick<DayChoiceProps, 'days' | 'today'> {
  title: string
  weeks: readonly Day[]
}

/** The year with a row for each month, for screen reader users, who would otherwise have to step through its days one by one. */
function MonthTable({ title, days, weeks, today }: MonthTableProps) {
  const counted = ['done', 'skipped', 'missed'] as const
  const rows = monthsOf(weeks, today).flatMap(({ month, from, to }) => {
    const of = [...days].filter(([day]) => day >= from && day <= to)
    if (of.length === 0) return []
    const cells = counted.map((state) => of.filter(([, is]) => is.state === state).length)
    return [{ about: monthAndYear(month), cells }]
  })
  return (
    <HiddenTable
      caption={`History of ${title} by month`}
      head={['Month', ...counted.map((state) => names[state])]}
      rows={rows}
    />
  )
}
