import { Repeat } from 'lucide-react'
import { useMemo } from 'react'
import type { List } from '#features/lists/list/list.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { shortDay } from '#platform/format/short-day.ts'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'
import { Page } from '#platform/ui/layout/page.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'
import { type BoardView, TodoBoard } from '../board/todo-board.tsx'
import { comingAgain, isUpcoming, upcomingDays } from '../dates/upcoming.ts'
import { dayMoves } from '../dates/web/day-moves.ts'
import { todosShown } from '../todo/in-list.ts'
import type { Todo } from '../todo/todo.ts'
import { reminderTime } from '../todo/todo-reminder.ts'
import { useTodoActions } from '../todo/web/use-todo-actions.ts'
import { useTodos } from '../todo/web/use-todos.ts'
import { DayPages } from './day-pages.tsx'
import { TasksNotLoaded } from './tasks-not-loaded.tsx'

interface UpcomingPageProps {
  /** Every list, including archived ones, in the person's order. */
  lists: readonly List[]
}

/** The next 14 days, each with the tasks due that day and the coming occurrences of repeating tasks. */
export function UpcomingPage({ lists }: UpcomingPageProps) {
  const { rows, added, server, queued, status, arriving, problem, retry } = useTodos()
  const today = useToday()
  const { timeZone } = useUserCalendar()
  const todos = rows ?? added
  const actions = useTodoActions(todos)
  const again = useMemo(() => {
    const listById = new Map(lists.map((list) => [list.id, list]))
    return comingAgain(todosShown(todos, listById), today)
  }, [todos, lists, today])
  const view: BoardView = {
    prompt: 'Add a task for tomorrow...',
    due: addDays(today, 1),
    shows: (place) => isUpcoming(today, place),
    days: dayMoves(actions),
    again,
    groups(open, placeOf, showDetails, isSought) {
      const coming = isSought ? again.filter(isSought) : again
      if (open.length === 0 && coming.length === 0) return []
      const days = upcomingDays({ open, again: coming }, { today, timeZone, placeOf })
      const shown = isSought ? days.filter(({ todos, coming }) => todos.length + coming.length > 0) : days
      return shown.map(({ day, todos, coming }) => ({
        name: nameOf(day, today),
        todos,
        after: (
          <div data-day={day}>
            {coming.length > 0 ? (
              <ul aria-label={`Comes again ${nameOf(day, today)}`} className="[list-style-type:'']">
                {coming.map((todo) => (
                  <Coming
                    key={todo.id}
                    todo={todo}
                    day={day}
                    onPress={(byKey) => showDetails(todo, byKey ? 'title' : undefined)}
                  />
                ))}
              </ul>
            ) : (
              todos.length === 0 && <p className="py-1 text-ink-3 text-small">Nothing due</p>
            )}
          </div>
        ),
      }))
    },
  }

  // During a retry, keep the form with the text being typed.
  if (status === 'loading' && problem === undefined) return <LoadingScreen />
  return (
    <Page besidePanel title="Upcoming" subtitle="The next 14 days">
      <DayPages />
      <div className={overLook}>
        <TodoBoard
          todos={todos}
          server={server}
          queued={queued}
          elsewhere={undefined}
          list={undefined}
          tag={undefined}
          view={view}
          empty={
            again.length === 0 && (
              <EmptyState
                sentence="Nothing is due in the next two weeks"
                hint="What you add here gets tomorrow as its date."
                className="mt-18 mb-10 max-md:mt-14"
              />
            )
          }
          lists={lists}
          isRead={status === 'ready' && !arriving}
          sort="manual"
          failure={problem && <TasksNotLoaded problem={problem} busy={status === 'loading'} retry={retry} />}
        />
      </div>
    </Page>
  )
}

/** Marks the day that a row is dragged onto. */
const overLook =
  '[&_section]:rounded-control [&_section[data-over]]:bg-hover [&_section[data-over]]:outline-2 [&_section[data-over]]:outline-accent [&_section[data-over]]:outline-offset-4'

/** The name of a day, such as 'Tomorrow, Thu 26 Nov' or 'Fri 27 Nov'. */
function nameOf(day: Day, today: Day): string {
  const words = shortDay(day, today)
  return day === addDays(today, 1) ? `Tomorrow, ${words}` : words
}

interface ComingProps {
  todo: Todo
  day: Day
  onPress(byKey: boolean): void
}

/** A coming occurrence. It has no checkbox, as the current occurrence must be completed first. */
function Coming({ todo, day, onPress }: ComingProps) {
  const { timeZone } = useUserCalendar()
  const reminder = reminderTime(todo, timeZone)
  return (
    <li>
      <button
        type="button"
        data-coming={todo.id}
        onClick={({ detail }) => onPress(detail === 0)}
        className="-mx-3 flex w-[calc(100%+24px)] flex-wrap items-baseline gap-x-3 rounded-control px-3 py-1.5 text-start text-ink-3 hover:bg-hover hover:text-ink-2 pointer-coarse:min-h-11 pointer-coarse:items-center"
      >
        <span className="flex min-w-0 flex-1 basis-40 items-baseline gap-3">
          <span className="grid w-5 shrink-0 place-items-center self-center">
            <Repeat size={14} />
          </span>
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {todo.title}
          </span>
        </span>
        <span className="ml-8 flex flex-wrap gap-x-3 text-small tabular-nums">
          {reminder?.day === day && <span>{timeOfDay(reminder.time)}</span>}
          <span>Comes again</span>
        </span>
      </button>
    </li>
  )
}
