import { type RefObject, useDeferredValue, useMemo } from 'react'
import type { List } from '#features/lists/list/list.ts'
import { useLists } from '#features/lists/list/web/use-lists.ts'
import { LazyTakesTodos } from '#features/lists/sidebar/lazy-list-drags.ts'
import { ListsGroup } from '#features/lists/sidebar/lists-group.tsx'
import { openCounts } from '#features/todos/todo/in-list.ts'
import { subtasksOf } from '#features/todos/todo/subtasks.ts'
import { useTodoActions } from '#features/todos/todo/web/use-todo-actions.ts'
import { useTodos } from '#features/todos/todo/web/use-todos.ts'
import { usePart } from '#platform/ui/lazy-part.tsx'

interface SidebarListsProps {
  /** The entry of all tasks. A task dropped on it is taken out of its list. */
  todosEntry: RefObject<HTMLElement | null>
}

/** The lists in the sidebar, with the number of open tasks in each. */
export function SidebarLists({ todosEntry }: SidebarListsProps) {
  const { rows: lists } = useLists()
  const { rows: todos } = useTodos()
  // What the person looks at is drawn first.
  const known = useDeferredValue(todos)
  const top = useMemo(() => subtasksOf(known ?? []).top, [known])
  const counts = useMemo(() => openCounts(top), [top])
  const { moveToList } = useTodoActions(todos ?? none)
  const moveDropped = (todoId: string, to: List | undefined) => {
    // A subtask, which can be a row on a tag's page, stays with its parent.
    const todo = top.find(({ id }) => id === todoId)
    if (todo) moveToList(todo, { from: lists?.find(({ id }) => id === todo.list_id), to })
  }
  const TakesTodos = usePart(LazyTakesTodos, false)
  return (
    lists && (
      <>
        <ListsGroup lists={lists} openCounts={counts} onDropTodo={moveDropped} />
        {TakesTodos && <TakesTodos target={todosEntry} onDrop={(todoId) => moveDropped(todoId, undefined)} />}
      </>
    )
  )
}

const none: never[] = []
