import { type ReactNode, useMemo } from 'react'
import type { List } from '#features/lists/list/list.ts'
import type { TodoSort } from '#features/lists/list/list-row.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Page } from '#platform/ui/layout/page.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'
import { TodoBoard } from '../board/todo-board.tsx'
import { useDoneToday } from '../completed/web/use-done-today.ts'
import { todosShown } from '../todo/in-list.ts'
import { listIdOf, subtasksOf } from '../todo/subtasks.ts'
import { hasTag } from '../todo/tags.ts'
import type { Todo } from '../todo/todo.ts'
import { completedElsewhere } from '../todo/web/todo-queries.ts'
import { useTodos } from '../todo/web/use-todos.ts'
import { TasksNotLoaded } from './tasks-not-loaded.tsx'

interface TodosPageProps {
  /** The list whose tasks are shown; undefined shows the tasks of all lists. */
  list?: List | undefined
  /** The tag whose tasks are shown, as spelled on them; undefined shows all. */
  tag?: string | undefined
  /** Every list, including archived ones, in the person's order. */
  lists: readonly List[]
  sort: TodoSort
  onSort(sort: TodoSort): void
  /** The menu of the list or the tag. */
  menu?: ReactNode
}

export function TodosPage({ list, tag, menu, lists, sort, onSort }: TodosPageProps) {
  const SortChoice = usePart(LazySortChoice, false)
  const { rows, added, server, queued, status, arriving, problem, retry } = useTodos()
  const listed = useMemo(() => {
    if (tag === undefined)
      return rows && subtasksOf(rows).top.filter(({ list_id }) => !list || list_id === list.id)
    const byId = new Map(rows?.map((todo) => [todo.id, todo]))
    const tagged = rows?.filter((todo) => hasTag(todo.tags, tag))
    return (
      tagged &&
      todosShown(
        tagged.map((todo) => ({ ...todo, list_id: listIdOf(todo, byId) })),
        new Map(lists.map((each) => [each.id, each])),
      )
    )
  }, [rows, list, lists, tag])
  const subtitle = useSubtitle(listed)
  const elsewhere = useMemo(
    // For a tag, the number of completed tasks that only the server has is unknown.
    () => (tag === undefined && server ? completedElsewhere(server, queued) : undefined),
    [server, queued, tag],
  )

  // The sort button keeps its space while hidden, so that nothing moves when the first task is added.
  const anyOpen = listed?.some(({ completed }) => completed === 0)

  // During a retry, keep the form with the text being typed.
  if (status === 'loading' && problem === undefined) return <LoadingScreen />
  return (
    <Page
      besidePanel
      title={tag === undefined ? (list?.name ?? 'Todo List') : `#${tag}`}
      subtitle={list || tag !== undefined ? subtitle : 'Plan your day and track your tasks'}
      action={
        <div className={cn('flex min-h-10 items-center gap-1', !menu && '-mr-3')}>
          {rows && SortChoice && (
            <SortChoice sort={sort} onSort={onSort} className={cn(!anyOpen && 'invisible')} />
          )}
          {menu}
        </div>
      }
    >
      <TodoBoard
        todos={rows ?? added}
        server={server}
        queued={queued}
        elsewhere={elsewhere}
        list={list}
        tag={tag}
        lists={lists}
        isRead={status === 'ready' && !arriving}
        sort={sort}
        failure={problem && <TasksNotLoaded problem={problem} busy={status === 'loading'} retry={retry} />}
      />
    </Page>
  )
}

const LazySortChoice = lazyPart(() => import('../board/sort-choice.tsx'), 'SortChoice', 'with the screen')

/** How many tasks are open, and how many were done today. */
function useSubtitle(listed: readonly Todo[] | undefined): string {
  const isDoneToday = useDoneToday()
  return useMemo(() => {
    const open = listed?.filter(({ completed }) => completed === 0).length ?? 0
    const done = listed?.filter(isDoneToday).length ?? 0
    const counts = [`${integerFormat.format(open)} open`, `${integerFormat.format(done)} done today`]
    return counts.slice(0, done === 0 ? 1 : 2).join(', ')
  }, [listed, isDoneToday])
}
