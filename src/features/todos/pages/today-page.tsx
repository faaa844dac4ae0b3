import { Link } from '@tanstack/react-router'
import { ListTodo } from 'lucide-react'
import { type ReactNode, useMemo, useSyncExternalStore } from 'react'
import type { List } from '#features/lists/list/list.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { addDays, type Day, dayOf } from '#platform/calendar/day.ts'
import { counted, listed } from '#platform/format/words.ts'
import { byPosition } from '#platform/order/position.ts'
import { buttonLook } from '#platform/ui/controls/button.tsx'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'
import { Page } from '#platform/ui/layout/page.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'
import { type BoardView, TodoBoard } from '../board/todo-board.tsx'
import type { PlaceOf } from '../board/todo-groups.ts'
import { useDoneToday } from '../completed/web/use-done-today.ts'
import { countDueBy, isDueBy } from '../dates/due-by.ts'
import { timedFirst } from '../dates/timed-first.ts'
import type { Todo } from '../todo/todo.ts'
import { useTodoActions } from '../todo/web/use-todo-actions.ts'
import { useTodos } from '../todo/web/use-todos.ts'
import { DayPages } from './day-pages.tsx'
import { TasksNotLoaded } from './tasks-not-loaded.tsx'

interface TodayPageProps {
  /** The current day, shown below the title. */
  subtitle: ReactNode
  /** Every list, including archived ones, in the person's order. */
  lists: readonly List[]
  /** The focused time of the day, shown beside the title. */
  focus: ReactNode
  /** The habits due today, shown below the tasks. */
  habits: ReactNode
  /** Called when the search on this page changes, so that the habits can follow; undefined when there is no search. */
  onSearch(hasTexts: ((title: string, ...more: readonly string[]) => boolean) | undefined): void
  /** The number of habits shown. */
  habitsShown: number
  /** How many habits are due today, and how many of them are done; undefined until known. */
  habitCount: { due: number; done: number } | undefined
}

/** The tasks and habits for the person's today. */
export function TodayPage({
  subtitle,
  lists,
  focus,
  habits,
  habitsShown,
  habitCount,
  onSearch,
}: TodayPageProps) {
  const { rows, added, server, queued, status, arriving, problem, retry } = useTodos()
  const today = useToday()
  const { timeZone } = useUserCalendar()
  const late = useLateInDay(today)
  const isDoneToday = useDoneToday()
  const todos = rows ?? added
  const actions = useTodoActions(todos)
  const DateAll = usePart(LazyDateAll, true)
  const counts = useMemo(() => countDueBy(today, todos, lists), [today, todos, lists])
  const done = useMemo(
    () => todos.filter((todo) => todo.parent_id === null && isDoneToday(todo)).length,
    [todos, isDoneToday],
  )
  const view = useMemo<BoardView>(
    () => ({
      prompt: 'Add a task for today...',
      due: today,
      shows: (place) => (place.completed === 1 ? place.parent_id === null : isDueBy(today, place)),
      groups(open, placeOf) {
        const overdue = open.filter((todo) => isOverdue(placeOf(todo), today)).sort(earliestDueFirst(placeOf))
        const others = open
          .filter((todo) => !isOverdue(placeOf(todo), today))
          .sort(timedFirst(today, timeZone, placeOf))
        const tomorrow = addDays(today, 1)
        return [
          {
            name: 'Overdue',
            todos: overdue,
            action: DateAll && <DateAll actions={actions} todos={overdue} to={today} label="Move to today" />,
          },
          {
            name: 'Tasks',
            todos: others,
            action: late && DateAll && (
              <DateAll actions={actions} todos={others} to={tomorrow} label="Move to tomorrow" />
            ),
          },
        ].filter((group) => group.todos.length > 0)
      },
    }),
    [today, timeZone, late, actions, DateAll],
  )

  // During a retry, keep the form with the text being typed.
  if (status === 'loading' && problem === undefined) return <LoadingScreen />
  return (
    <Page besidePanel title="Today" subtitle={subtitle} action={focus}>
      <DayPages />
      <TodoBoard
        todos={todos}
        server={server}
        queued={queued}
        elsewhere={undefined}
        list={undefined}
        tag={undefined}
        view={view}
        empty={habitCount && <NothingDue others={counts.others} done={done} habits={habitCount} />}
        between={habits}
        betweenCount={habitsShown}
        lists={lists}
        isRead={status === 'ready' && !arriving}
        sort="manual"
        failure={problem && <TasksNotLoaded problem={problem} busy={status === 'loading'} retry={retry} />}
        onSearch={onSearch}
      />
    </Page>
  )
}

const LazyDateAll = lazyPart(() => import('../dates/web/date-all.tsx'), 'DateAll', 'with the screen')

interface NothingDueProps {
  /** The number of open tasks that are not due yet. */
  others: number
  /** The number of tasks done today. */
  done: number
  habits: { due: number; done: number }
}

/** Shown when no task was due or all tasks are done. Shows nothing while habits are left to do. */
function NothingDue({ others, done, habits }: NothingDueProps) {
  if (habits.done < habits.due) return null
  if (done > 0 || habits.due > 0) {
    const parts = [done > 0 && counted(done, 'task'), habits.done > 0 && counted(habits.done, 'habit')]
    return (
      <EmptyState
        built
        sentence="All done for today"
        hint={`${listed(parts.filter((part) => part !== false))} done. The rest of the day is yours.`}
        className="mt-14 mb-10 max-md:mt-10"
      />
    )
  }
  return (
    <EmptyState
      sentence="Nothing is due today"
      hint={
        others === 0
          ? 'What you add here gets today as its date.'
          : `${counted(others, 'open task')} ${others === 1 ? 'waits' : 'wait'} for another day.`
      }
      className="mt-18 mb-10 max-md:mt-14"
    >
      {others > 0 && (
        <Link to="/todos" className={buttonLook({ variant: 'secondary', className: 'pl-3' })}>
          <ListTodo />
          Pick one for today
        </Link>
      )}
    </EmptyState>
  )
}

function isOverdue({ due_day }: Todo, today: Day): boolean {
  return due_day !== null && due_day < today
}

function earliestDueFirst(placeOf: PlaceOf) {
  return (one: Todo, other: Todo) => {
    const [a, b] = [placeOf(one), placeOf(other)]
    if (a.due_day !== b.due_day) return (a.due_day ?? '') < (b.due_day ?? '') ? -1 : 1
    return byPosition(a, b)
  }
}

const lastHours = 4 * 3_600_000

/** Whether the person's day ends within a few hours. */
function useLateInDay(today: Day): boolean {
  const { timeZone, dayStart } = useUserCalendar()
  return useSyncExternalStore(everyMinute, () => dayOf(Date.now() + lastHours, timeZone, dayStart) > today)
}

function everyMinute(look: () => void): () => void {
  const timer = setInterval(look, 60_000)
  return () => clearInterval(timer)
}
