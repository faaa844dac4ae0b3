import { useId, useMemo, useRef } from 'react'
import { announce } from '#platform/ui/announcer.tsx'
import { EmptyState } from '#platform/ui/empty-state.tsx'
import { focusLeaves } from '#platform/ui/row-focus.ts'
import type { Todo } from '../todo.ts'
import { TaskForm } from './task-form.tsx'
import { groupTodos } from './todo-groups.ts'
import { TodoRow } from './todo-row.tsx'
import { useGlide } from './use-glide.ts'
import { useHeldPlaces } from './use-held-places.ts'
import { useTodoActions } from './use-todo-actions.ts'

/** The field, and under it the open to-dos and the quiet group of the completed ones. */
export function TodoBoard({ todos }: { todos: readonly Todo[] }) {
  const completedHeading = useId()
  const board = useRef<HTMLDivElement>(null)
  const { held, hold } = useHeldPlaces({
    mayMove: () => board.current?.querySelector('input[type=text]') === null,
    onLetGo(places) {
      const leaving = todos.filter(
        ({ id, completed }) => (places.get(id)?.completed ?? completed) !== completed,
      )
      if (leaving.length === 0) return
      focusLeaves((id) => leaving.some((todo) => todo.id === id))
      glide()
      announce(leaving.length === 1 ? 'Task moved' : `${leaving.length} tasks moved`)
    },
  })
  const groups = useMemo(() => groupTodos(todos, held), [todos, held])
  const glide = useGlide(board, groups)
  const actions = useTodoActions({ hold, glide })

  return (
    <>
      <TaskForm add={actions.add} />
      <div ref={board} className="@container relative mt-4 text-body">
        {groups.open.length > 0 && (
          <ul aria-label="Open tasks" className="[list-style-type:'']">
            {groups.open.map((todo) => (
              <TodoRow key={todo.id} todo={todo} actions={actions} />
            ))}
          </ul>
        )}
        {groups.open.length === 0 && groups.completed.length > 0 && (
          <p className="py-2 text-ink-3">Nothing left to do.</p>
        )}
        {groups.completed.length > 0 && (
          <section aria-labelledby={completedHeading}>
            <h2 id={completedHeading} className="mt-4 mb-1 py-0.5 text-control font-medium text-ink-2">
              Completed{' '}
              <span className="ml-1 font-normal text-ink-3 tabular-nums">{groups.completed.length}</span>
            </h2>
            <ul aria-labelledby={completedHeading} className="[list-style-type:'']">
              {groups.completed.map((todo) => (
                <TodoRow key={todo.id} todo={todo} actions={actions} />
              ))}
            </ul>
          </section>
        )}
        {todos.length === 0 && (
          <EmptyState sentence="No tasks yet. Add the first one above." className="mt-20 max-md:mt-14" />
        )}
      </div>
    </>
  )
}
