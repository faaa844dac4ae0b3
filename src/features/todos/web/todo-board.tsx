import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { moveFocusFromRows } from '#platform/browser/row-focus.ts'
import { useStoredChoice } from '#platform/browser/stored-choice.ts'
import { useToday, useUserCalendar } from '#platform/browser/user-calendar.tsx'
import type { Day } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { Todo } from '../todo.ts'
import { dueGroupNames } from './format-due.ts'
import { orderChoice } from './order-choice.tsx'
import { TaskForm } from './task-form.tsx'
import { groupByDue, groupTodos } from './todo-groups.ts'
import { type TodoActions, TodoRow } from './todo-row.tsx'
import { useGlide } from './use-glide.ts'
import { useHeldPlaces } from './use-held-places.ts'
import { useTodoActions } from './use-todo-actions.ts'

interface TodoBoardProps {
  todos: readonly Todo[]
  /** Shown in place of the tasks that couldn't be loaded. */
  failure: ReactNode
  /** Called when the person has set a reminder. */
  onReminderSet(): void
  pushPermissionNote: ReactNode
}

/** The field for a new task, and below it the open to-dos and the muted group of completed ones. */
export function TodoBoard({ todos, failure, onReminderSet, pushPermissionNote }: TodoBoardProps) {
  const today = useToday()
  const { weekStart } = useUserCalendar()
  const order = useStoredChoice(orderChoice)
  const [editingDates, setEditingDates] = useState<Todo>()
  const [askingForDates, setAskingForDates] = useState(false)
  const DatesDialog = usePart(LazyDatesDialog, askingForDates)
  const board = useRef<HTMLDivElement>(null)
  const { held, hold, release } = useHeldPlaces({
    mayMove: () => board.current?.querySelector('input[type=text]') === null,
    onLetGo(places) {
      const leaving = todos.filter((todo) => {
        const place = places.get(todo.id) ?? todo
        return place.completed !== todo.completed || (order === 'due' && place.due_day !== todo.due_day)
      })
      if (leaving.length === 0) return
      moveFocusFromRows((id) => leaving.some((todo) => todo.id === id))
      glide()
      announce(leaving.length === 1 ? 'Task moved' : `${integerFormat.format(leaving.length)} tasks moved`)
    },
  })
  const { open, completed } = useMemo(() => groupTodos(todos, held), [todos, held])
  const anyDue = open.some(({ due_day }) => due_day !== null)
  const byDue = anyDue && order === 'due'
  const [grouped, setGrouped] = useState(byDue)
  // Not while rows are held: each would move to another list, and text being typed in one would be lost.
  if (grouped !== byDue && held.size === 0) setGrouped(byDue)
  const dueGroups = useMemo(
    () => (grouped ? groupByDue(open, { today, weekStart, held }) : undefined),
    [open, grouped, today, weekStart, held],
  )
  const glide = useGlide(board, dueGroups ?? open)
  const askForDates = useMemo(
    () => (todo: Todo) => {
      setEditingDates(todo)
      setAskingForDates(true)
    },
    [],
  )
  const actions = useTodoActions({ hold, release, glide, askForDates })

  return (
    <>
      <TaskForm add={actions.add} />
      <div ref={board} className="@container relative mt-4 text-body">
        {dueGroups?.map((group) => (
          <Group
            key={group.dueGroup}
            name={dueGroupNames[group.dueGroup]}
            todos={group.todos}
            today={today}
            actions={actions}
          />
        ))}
        {!dueGroups && open.length > 0 && (
          <ul aria-label="Open tasks" className="[list-style-type:'']">
            {open.map((todo) => (
              <TodoRow key={todo.id} todo={todo} today={today} actions={actions} />
            ))}
          </ul>
        )}
        {!failure && open.length === 0 && completed.length > 0 && (
          <p className="py-2 text-ink-3">Nothing left to do.</p>
        )}
        {completed.length > 0 && <Group name="Completed" todos={completed} today={today} actions={actions} />}
        {!failure && todos.length === 0 && (
          <EmptyState sentence="No tasks yet. Add your first one above." className="mt-20 max-md:mt-14" />
        )}
        {failure && <div className="mt-20 max-md:mt-14">{failure}</div>}
      </div>
      {DatesDialog && (
        <DatesDialog
          todo={editingDates && (todos.find(({ id }) => id === editingDates.id) ?? editingDates)}
          open={askingForDates}
          pushPermissionNote={pushPermissionNote}
          onClose={() => setAskingForDates(false)}
          save={(changes) => {
            if (!editingDates) return
            actions.setDates(editingDates, changes)
            if (changes.remind_at) onReminderSet()
          }}
        />
      )}
    </>
  )
}

const LazyDatesDialog = lazyPart(() => import('./dates-dialog.tsx'), 'DatesDialog', 'after the screen')

interface GroupProps {
  name: string
  todos: readonly Todo[]
  today: Day
  actions: TodoActions
}

function Group({ name, todos, today, actions }: GroupProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="mt-4 mb-1 py-0.5 text-control font-medium text-ink-2">
        {name}{' '}
        <span className="ml-1 font-normal text-ink-3 tabular-nums">{integerFormat.format(todos.length)}</span>
      </h2>
      <ul aria-labelledby={heading} className="[list-style-type:'']">
        {todos.map((todo) => (
          <TodoRow key={todo.id} todo={todo} today={today} actions={actions} />
        ))}
      </ul>
    </section>
  )
}
