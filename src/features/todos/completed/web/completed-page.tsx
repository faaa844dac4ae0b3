import { Link, useSearch } from '@tanstack/react-router'
import { ArrowLeft, Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { List } from '#features/lists/list/list.ts'
import { useTodoActions } from '#features/todos/todo/web/use-todo-actions.ts'
import { useTodos } from '#features/todos/todo/web/use-todos.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import type { Day } from '#platform/calendar/day.ts'
import { longDay } from '#platform/format/format-day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { clockTime } from '#platform/format/format-time.ts'
import { counted } from '#platform/format/words.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { Button, buttonLook } from '#platform/ui/controls/button.tsx'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'
import { Page } from '#platform/ui/layout/page.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'
import { type CompletedActions, completedActions } from './completed-actions.ts'
import { type CompletedTodo, useCompletedTodos } from './completed-queries.ts'
import { CompletedSearchField } from './completed-search-field.tsx'

interface CompletedPageProps {
  /** The list to show alone; undefined for all lists. */
  list: List | undefined
  /** The ids of the archived lists. */
  archived: ReadonlySet<string>
}

/** All completed to-dos by day, the latest first. */
export function CompletedPage({ list, archived }: CompletedPageProps) {
  const wanted = useSearch({ from: '/signed-in/todos/completed' })
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const { days, count, problem, reading, more, loadingMore, loadMore, retry } = useCompletedTodos(wanted, {
    gone,
    archived,
  })
  const { rows: todos = none } = useTodos()
  const actions = completedActions(useTodoActions(todos), setGone)
  const isEmpty = days?.length === 0
  const shown = (days ?? []).reduce((sum, { completed }) => sum + completed.length, 0)

  return (
    <Page
      title="Completed"
      subtitle={subtitleOf(list, count)}
      action={
        list ? (
          <Link className={buttonLook({ variant: 'secondary' })} to="/lists/$id" params={{ id: list.id }}>
            <ArrowLeft />
            <span className="max-w-40 truncate">{list.name}</span>
          </Link>
        ) : (
          <Link className={buttonLook({ variant: 'secondary' })} to="/todos">
            <ArrowLeft />
            Todos
          </Link>
        )
      }
    >
      <CompletedSearchField />
      {problem && (
        <div
          role="alert"
          className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-control text-ink-2"
        >
          <p>
            {isEmpty
              ? "Your completed tasks couldn't be loaded."
              : "The rest of your completed tasks couldn't be loaded."}{' '}
            {formatRequestProblem(problem)}
          </p>
          <Button variant="secondary" busy={reading} onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      {days === undefined && <LoadingScreen />}
      {isEmpty && !problem && (
        <EmptyState
          sentence={
            wanted.search === undefined ? 'Nothing completed yet.' : 'No completed task contains these words.'
          }
          className="mt-20 max-md:mt-14"
        />
      )}
      <div className="mt-2 tabular-nums">
        {days?.map((day) => (
          <DayOfCompleted key={day.day} {...day} actions={actions} />
        ))}
      </div>
      {more && <More loading={loadingMore} load={loadMore} shown={shown} count={count ?? 0} />}
    </Page>
  )
}

const none: never[] = []

function subtitleOf(list: List | undefined, count: number | undefined): string {
  const tasks = count === undefined ? 'What you have done' : counted(count, 'task')
  return list ? `${tasks} in ${list.name}` : tasks
}

interface DayProps {
  day: Day
  count: number
  completed: readonly CompletedTodo[]
  actions: CompletedActions
}

function DayOfCompleted({ day, count, completed, actions }: DayProps) {
  const today = useToday()
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="mt-4">
      <h2 id={heading} className="py-0.5 text-control font-medium text-ink-2">
        {day === today ? `Today, ${longDay(day, today)}` : longDay(day, today)}{' '}
        <span className="ml-1 font-normal text-ink-3">{integerFormat.format(count)}</span>
      </h2>
      <ul aria-labelledby={heading} className="mt-1 [list-style-type:'']">
        {completed.map((each) => (
          <CompletedRow key={each.key} completed={each} actions={actions} />
        ))}
      </ul>
    </section>
  )
}

function CompletedRow({ completed, actions }: { completed: CompletedTodo; actions: CompletedActions }) {
  const { timeZone } = useUserCalendar()
  const { title, completed_at } = completed.todo
  return (
    <li
      data-row={completed.key}
      className="group/row -mx-3 flex items-start gap-x-3 rounded-control px-3 contain-content hover:bg-hover pointer-coarse:-mx-4 pointer-coarse:px-4"
    >
      <Checkbox
        aria-label={title}
        checked
        onChange={() => actions.reopen(completed)}
        className="mt-[calc(0.75rem-2px)] pointer-coarse:mt-[calc(0.75rem+4px)]"
      />
      <span
        dir="auto"
        className="min-w-0 flex-1 py-2 text-body text-ink-3 line-through wrap-anywhere pointer-coarse:py-3.5"
      >
        {title}
      </span>
      <span className="py-2.5 text-control text-ink-3 pointer-coarse:py-4">
        {completed_at && clockTime(Date.parse(completed_at), timeZone)}
      </span>
      <span className="mt-[calc(0.75rem-8px)] -mr-2 flex shrink-0 pointer-coarse:-mr-3.5">
        {/* No delete button for an occurrence: deleting its to-do would delete all its other occurrences, too. */}
        {completed.occurrence === null && (
          <Button
            variant="icon"
            aria-label="Delete task"
            onClick={() => actions.remove(completed)}
            className="static pointer-coarse:text-edge [@media(hover:hover)]:opacity-0 group-hover/row:opacity-100 group-has-focus-visible/row:opacity-100"
          >
            <Trash2 />
          </Button>
        )}
      </span>
    </li>
  )
}

interface MoreProps {
  loading: boolean
  load(): void
  shown: number
  count: number
}

/** Loads the next page when it comes into view, or when pressed. */
function More({ loading, load, shown, count }: MoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const reach = useEffectEvent(() => {
    if (!loading) load()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page the end may still be in view
  useEffect(() => {
    if (end.current === null) return
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && reach(), {
      rootMargin: '600px',
    })
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [shown])
  return (
    <div ref={end} className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-control text-ink-2">
      <Button variant="secondary" busy={loading} onClick={load}>
        Load more
      </Button>
      <span role="status">
        {integerFormat.format(shown)} of {integerFormat.format(count)}
      </span>
    </div>
  )
}
