import { useSearch } from '@tanstack/react-router'
import { Pause, Play, Plus } from 'lucide-react'
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { isPressed, useShortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { movingByItself } from '#platform/browser/keyboard/typing-state.ts'
import { focusNearbyRow, moveFocusFromRows } from '#platform/browser/rows/row-focus.ts'
import { useScreenServices } from '#platform/browser/screen-services.ts'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import { byPosition } from '#platform/order/position.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { useHeldRows } from '#platform/sync/react/use-held-rows.ts'
import { useSyncState } from '#platform/sync/react/use-sync-state.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'
import { Page } from '#platform/ui/layout/page.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { Sought } from '#platform/ui/search/screen-search-props.ts'
import type { EditedDay } from '../days/web/day-editor.tsx'
import { DayLegend } from '../days/web/day-legend.tsx'
import { type DayLook, lookOf } from '../days/web/day-looks.ts'
import { StripDates } from '../days/web/day-strip.tsx'
import { useHabitActions } from '../editing/use-habit-actions.ts'
import { type CountedFor, countHabit, isInOtherWeeks } from '../habit/counted-habit.ts'
import type { HabitFacts } from '../habit/habit-facts.ts'
import { moveHabit, nearbyHabit, newHabit, nextHabit } from '../habit/web/habit-shortcuts.ts'
import { useHabits } from '../habit/web/use-habits.ts'
import type { PauseRow } from '../pauses/pause.ts'
import { usePauses } from '../pauses/web/use-pauses.ts'
import { statesOf } from '../rhythm/day-state.ts'
import { ArchivedHabits } from './archived-habits.tsx'
import { HabitListRow, rowColumns } from './habit-list-row.tsx'
import { HabitSkeleton } from './habit-skeleton.tsx'

const noPauses: readonly PauseRow[] = []
const noHabits: readonly HabitFacts[] = []

export function HabitsPage() {
  const { reminderQuestion } = useScreenServices()
  const { rows, added, server, queued, status, problem, retry } = useHabits()
  const pausesKnown = usePauses()
  const pauses = pausesKnown ?? noPauses
  const today = useToday()
  const calendar = useUserCalendar()
  const counted = useMemo(() => ({ today, calendar, pauses }), [today, calendar, pauses])
  const actions = useHabitActions()
  const [adding, setAdding] = useState(false)
  const keys = useShortcut(newHabit, () => setAdding(true))
  const list = useRef<HTMLUListElement>(null)
  const board = useRef<HTMLDivElement>(null)
  const { habit: sought } = useSearch({ from: '/signed-in/habits' })
  const [found, setFound] = useState<Sought<HabitFacts>>()
  const Search = usePart(LazyHabitSearchField, false)
  useNextHabit(list)
  useRefetch(rows, counted, retry)

  // During a retry, the failure stays on the screen until there is something to show.
  const known = pausesKnown && (rows ?? (problem && added))
  const beginGlide = useRef(() => {})
  const Glide = usePart(LazyGlide, false)
  const held = useHeldRows({
    container: board,
    rows: known ?? noHabits,
    server: known && server,
    queued,
    onLetGo(left) {
      const isGone = (id: string) => known?.some((habit) => habit.id === id) === false
      movingByItself(() => moveFocusFromRows((id) => left.some(({ row }) => row.id === id) && isGone(id)))
      beginGlide.current()
    },
  })
  const empty = known?.length === 0 && rows !== undefined
  const inOrder = held.holdsAny
    ? held.rows.toSorted((one, other) => byPosition(held.placeOf(one), held.placeOf(other)))
    : held.rows
  const matching = known && (found ? inOrder.filter(found.has) : inOrder)
  const isArchived = (habit: HabitFacts) => held.placeOf(habit).archived_at !== null
  const shown = matching?.filter((habit) => !isArchived(habit))
  const archived = matching?.filter(isArchived) ?? noHabits
  const [edited, setEdited] = useState<EditedDay>()
  const [editing, setEditing] = useState(false)
  const editDay = useCallback((of: EditedDay) => {
    setEdited(of)
    setEditing(true)
  }, [])
  /** The habit to pause; null for all habits. */
  const [paused, setPaused] = useState<HabitFacts | null>(null)
  const [pausing, setPausing] = useState(false)
  const pause = useCallback((habit: HabitFacts | null) => {
    setPaused(habit)
    setPausing(true)
  }, [])
  const HabitDialog = usePart(LazyHabitDialog, adding)
  const DayEditor = usePart(LazyDayEditor, editing)
  const PauseDialog = usePart(LazyPauseDialog, pausing)
  const RowGrip = usePart(LazyRowGrip, shown !== undefined && shown.length > 1)
  const all = useRef(noHabits)
  useEffect(() => {
    all.current = known ?? noHabits
  }, [known])
  const current = (habit: HabitFacts) => known?.find(({ id }) => id === habit.id) ?? habit

  return (
    <Page
      title="Habits"
      subtitle="Track your daily and weekly habits"
      action={
        <Button
          variant={empty ? 'secondary' : 'primary'}
          aria-keyshortcuts={keys}
          onClick={() => setAdding(true)}
          className="pl-3"
        >
          <Plus />
          Add Habit
        </Button>
      }
    >
      {reminderQuestion}
      {empty ? (
        <EmptyState
          sentence="No habits found. Start by creating one!"
          hint="Small and daily beats big and occasional."
          className="mt-26 max-md:mt-16"
        >
          <Button onClick={() => setAdding(true)} className="pl-3">
            <Plus />
            Add Habit
          </Button>
        </EmptyState>
      ) : (
        <>
          {Search && <Search count={matching?.length ?? 0} show={setFound} />}
          {shown?.length !== 0 && <Columns today={today} />}
          {shown === undefined && !problem && <HabitSkeleton />}
          {shown !== undefined && shown.length > 0 && (
            <div ref={board} className="@container relative text-body">
              <ul
                ref={list}
                aria-label="Habits"
                onKeyDown={(event) => {
                  if (!(event.target instanceof HTMLInputElement) || !isPressed(nearbyHabit, event)) return
                  event.preventDefault()
                  focusNearbyRow(list.current, event.key === 'ArrowUp' ? -1 : 1)
                }}
                className="[list-style-type:'']"
              >
                {shown.map((habit) => (
                  <HabitListRow
                    key={habit.id}
                    habit={habit}
                    counted={counted}
                    actions={actions}
                    isSought={habit.id === sought}
                    onEditDay={editDay}
                    onPause={pause}
                  />
                ))}
              </ul>
              {Glide && <Glide container={board} rows={shown} begin={beginGlide} aim={held.aim} />}
              {RowGrip && shown.length > 1 && (
                <RowGrip
                  board={board}
                  list={list}
                  shown={shown}
                  allRows={() => all.current}
                  nameOf={(id) => shown.find((habit) => habit.id === id)?.name ?? ''}
                  kind="habit"
                  keys={moveHabit}
                  onMove={(id, to) => {
                    const habit = shown.find((each) => each.id === id)
                    if (habit) actions.move(habit, to)
                  }}
                />
              )}
            </div>
          )}
          {shown !== undefined && shown.length > 0 && (
            <AfterRows habits={shown} counted={counted}>
              <PauseAll
                pauses={pauses.filter((each) => each.habit_id === null && isOn(each, today))}
                onPause={() => pause(null)}
                onResume={(ended) => actions.resume(null, ended)}
              />
            </AfterRows>
          )}
          <ArchivedHabits habits={archived} actions={actions} />
        </>
      )}
      {problem && (
        <div role="alert">
          <EmptyState
            sentence="Your habits couldn't be loaded."
            hint={formatRequestProblem(problem)}
            className="mt-26 max-md:mt-16"
          >
            <Button variant="secondary" busy={status === 'loading'} onClick={retry}>
              Try again
            </Button>
          </EmptyState>
        </div>
      )}
      {HabitDialog && <HabitDialog open={adding} onClose={() => setAdding(false)} save={actions.add} />}
      {DayEditor && edited && (
        <DayEditor
          key={`${edited.habit.id} ${edited.day}`}
          open={editing}
          edited={{ ...edited, habit: current(edited.habit) }}
          counted={counted}
          actions={actions}
          onClose={() => setEditing(false)}
        />
      )}
      {PauseDialog && (
        <PauseDialog
          open={pausing}
          onClose={() => setPausing(false)}
          habit={paused}
          pauses={pauses}
          today={today}
          actions={actions}
        />
      )}
    </Page>
  )
}

const LazyHabitSearchField = lazyPart(
  () => import('./habit-search-field.tsx'),
  'HabitSearch',
  'with the screen',
)
const LazyGlide = lazyPart(() => import('#platform/ui/rows/glide.tsx'), 'Glide', 'with the screen')
const LazyHabitDialog = lazyPart(
  () => import('../editing/habit-dialog.tsx'),
  'HabitDialog',
  'with the screen',
)
const LazyDayEditor = lazyPart(() => import('../days/web/day-editor.tsx'), 'DayEditor', 'with the screen')
const LazyPauseDialog = lazyPart(
  () => import('../editing/pause-dialog.tsx'),
  'PauseDialog',
  'with the screen',
)
const LazyRowGrip = lazyPart(() => import('#platform/ui/rows/row-grip.tsx'), 'RowGrip', 'after the screen')

function isOn({ from_day, to_day }: PauseRow, day: Day): boolean {
  return from_day <= day && (to_day === null || day <= to_day)
}

/** Moves the focus to the next or previous row; from outside the rows, to the first row. */
function useNextHabit(list: RefObject<HTMLElement | null>) {
  useShortcut(nextHabit, (event) => focusNearbyRow(list.current, event.key.toLowerCase() === 'k' ? -1 : 1))
}

/** The dates, shown once above the columns of all rows. */
function Columns({ today }: { today: Day }) {
  return (
    <div className="@container mt-6 text-body">
      <div className={cn('grid items-center pb-1 @max-[40em]:pb-2', rowColumns)}>
        <StripDates
          days={daysFrom(addDays(today, -6), today)}
          className="@min-[40em]:col-start-4 @max-[40em]:col-span-full"
        />
        <p aria-hidden="true" className="text-right text-small text-ink-3 @max-[40em]:hidden">
          Streak
        </p>
        <p aria-hidden="true" className="text-right text-small text-ink-3 @max-[40em]:hidden">
          Strength
        </p>
      </div>
    </div>
  )
}

/** Explains the squares as soon as one of them needs an explanation. */
function AfterRows({
  habits,
  counted,
  children,
}: {
  habits: readonly HabitFacts[]
  counted: CountedFor
  children: ReactNode
}) {
  const { today } = counted
  const looks = useMemo(
    () =>
      new Set(
        habits.flatMap((habit) => {
          const { track } = countHabit(habit, counted)
          return statesOf(track, { from: addDays(today, -6), to: today }, today).map(
            (state) => lookOf(track, state, today).look,
          )
        }),
      ),
    [habits, counted, today],
  )
  const needsWords = explained.some((look) => looks.has(look))
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      {needsWords && <DayLegend looks={looks} />}
      {children}
    </div>
  )
}

const explained: readonly DayLook['look'][] = ['skipped', 'part', 'paused', 'unknown']

interface PauseAllProps {
  /** The pauses of all habits that apply today. */
  pauses: readonly PauseRow[]
  onPause(): void
  onResume(pauses: readonly PauseRow[]): void
}

function PauseAll({ pauses, onPause, onResume }: PauseAllProps) {
  const isPaused = pauses.length > 0
  return (
    <Button
      variant="quiet"
      onClick={() => (isPaused ? onResume(pauses) : onPause())}
      className="-mx-3 ml-auto px-3"
    >
      {isPaused ? <Play /> : <Pause />}
      {isPaused ? 'Resume all habits' : 'Pause all habits…'}
    </Button>
  )
}

/**
 * Reads the habits again when a new day begins, and when their sums were made with another week start than the current one. In
 * the latter case it reads once immediately and once after all queued writes are sent, since the server may have to receive the
 * new week start first.
 */
function useRefetch(rows: readonly HabitFacts[] | undefined, counted: CountedFor, readAgain: () => void) {
  const inOtherWeeks = rows?.some((habit) => isInOtherWeeks(habit, counted)) ?? false
  const allSent = useSyncState().waiting === 0
  const { today } = counted
  const readOn = useRef(today)
  useEffect(() => {
    if (readOn.current === today) return
    readOn.current = today
    readAgain()
  }, [today, readAgain])
  // biome-ignore lint/correctness/useExhaustiveDependencies: that all is sent by now is a reason to read again
  useEffect(() => {
    if (inOtherWeeks) readAgain()
  }, [inOtherWeeks, allSent, readAgain])
}
