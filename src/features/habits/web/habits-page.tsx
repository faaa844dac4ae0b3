import { useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { focusNearbyRow } from '#platform/browser/row-focus.ts'
import { isPressed, useShortcut } from '#platform/browser/shortcuts.ts'
import { useToday, useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { useSyncState } from '#platform/sync/react/use-sync-state.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'
import { Page } from '#platform/ui/layout/page.tsx'
import type { Sought } from '#platform/ui/layout/screen-search-props.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { HabitFacts } from '../counted-habit.ts'
import { StripDates } from './day-strip.tsx'
import { HabitDialog } from './habit-dialog.tsx'
import { habitList } from './habit-queries.ts'
import { HabitRow } from './habit-row.tsx'
import { nearbyHabit, newHabit, nextHabit } from './habit-shortcuts.ts'
import { HabitSkeleton } from './habit-skeleton.tsx'
import { PushPermissionNoteContext } from './reminder-field.tsx'
import { useHabitActions } from './use-habit-actions.ts'

interface HabitsPageProps {
  /** Called when the person has set a reminder. */
  onReminderSet(): void
  /** Shown where reminders are set: how they will reach the person. */
  pushPermissionNote: ReactNode
}

export function HabitsPage({ onReminderSet, pushPermissionNote }: HabitsPageProps) {
  const { rows, added, status, problem, retry } = useCollection(habitList)
  const today = useToday()
  const { weekStart } = useUserCalendar()
  const actions = useHabitActions(onReminderSet)
  const [adding, setAdding] = useState(false)
  const keys = useShortcut(newHabit, () => setAdding(true))
  const list = useRef<HTMLUListElement>(null)
  const { habit: sought } = useSearch({ from: '/signed-in/habits' })
  const [found, setFound] = useState<Sought<HabitFacts>>()
  const Search = usePart(LazyHabitSearchField, false)
  useNextHabit(list)
  useRefetch(rows, today, weekStart, retry)

  const empty = rows?.length === 0
  // While a retry is running, the failure stays on the screen until there is something to show.
  const known = rows ?? (problem && added)
  const shown = found ? known?.filter(found.has) : known
  return (
    <PushPermissionNoteContext value={pushPermissionNote}>
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
            {Search && <Search count={shown?.length ?? 0} show={setFound} />}
            {shown?.length !== 0 && <Columns today={today} />}
            {shown === undefined && <HabitSkeleton />}
            {shown !== undefined && shown.length > 0 && (
              <ul
                ref={list}
                aria-label="Habits"
                onKeyDown={(event) => {
                  if (!(event.target instanceof HTMLInputElement) || !isPressed(nearbyHabit, event)) return
                  event.preventDefault()
                  focusNearbyRow(list.current, event.key === 'ArrowUp' ? -1 : 1)
                }}
                className="@container text-body [list-style-type:'']"
              >
                {shown.map((habit) => (
                  <HabitRow
                    key={habit.id}
                    habit={habit}
                    today={today}
                    weekStart={weekStart}
                    actions={actions}
                    isSought={habit.id === sought}
                  />
                ))}
              </ul>
            )}
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
        <HabitDialog open={adding} onClose={() => setAdding(false)} save={actions.add} />
      </Page>
    </PushPermissionNoteContext>
  )
}

const LazyHabitSearchField = lazyPart(
  () => import('./habit-search-field.tsx'),
  'HabitSearch',
  'with the screen',
)

/** From outside of the rows, to the first. */
function useNextHabit(list: RefObject<HTMLElement | null>) {
  useShortcut(nextHabit, (event) => focusNearbyRow(list.current, event.key.toLowerCase() === 'k' ? -1 : 1))
}

/** The dates, once, above the columns of all rows. */
function Columns({ today }: { today: Day }) {
  return (
    <div className="@container mt-6 text-body">
      <div className="grid grid-cols-[minmax(0,1fr)_224px_5.75rem_68px] items-center pb-1 @max-[40em]:grid-cols-1 @max-[40em]:pb-2">
        <StripDates days={daysFrom(addDays(today, -6), today)} className="@min-[40em]:col-start-2" />
        <p aria-hidden="true" className="text-right text-small text-ink-3 @max-[40em]:hidden">
          Streak
        </p>
      </div>
    </div>
  )
}

/**
 * Reads the habits again when a new day begins, and when the week start differs from the one they were summed up for:
 * once immediately, and once when all queued writes are sent, since the server may have to learn of the week start
 * first.
 */
function useRefetch(
  rows: readonly HabitFacts[] | undefined,
  today: Day,
  weekStart: WeekStart,
  readAgain: () => void,
) {
  const inOtherWeeks =
    rows?.some(({ summed, earlier }) => summed === 'weekly' && weekdayOf(earlier.from) !== weekStart) ?? false
  const allSent = useSyncState().waiting === 0
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
