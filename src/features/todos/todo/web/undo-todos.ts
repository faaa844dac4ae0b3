import type { SettledDay } from '#features/todos/repeat/rule/occurrences.ts'
import { type Day, dayOf, daySchema, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import type { QueueWrite } from '#platform/sync/collections/write.ts'
import { editedParts } from '#platform/sync/undo/edited-parts.ts'
import { undoableCollection } from '#platform/sync/undo/plan-undo.ts'
import type { Around, Moment, QueueUndo, RowChanges, RowToSet } from '#platform/sync/undo/undoing.ts'
import { withoutTheirOwn } from '../subtasks.ts'
import { tagKey } from '../tags.ts'
import type { Todo } from '../todo.ts'
import { reminderToRestore } from '../todo-reminder.ts'
import { todoRow } from '../todo-row.ts'
import {
  deleteTodo,
  editTodo,
  openSubtasks,
  renameTodo,
  restoreTodo,
  setTodoCompleted,
  settleOccurrence,
  type TodoChanges,
  todoCollection,
  writeNote,
} from './todo-queries.ts'

// The parts of a to-do that undo restores separately: the fields that edits change, and whether it is completed. Each occurrence
// of a repeating to-do has two parts, `day:` and `moved:`. Each tag has one part, because every tag merges on its own.

const edited = editedParts(todoRow)

export const undoableTodos = undoableCollection<Todo>({
  collection: todoCollection,
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  titleOf,
  partsOf,
  hides: ({ settled = [], settled_from }, part) => {
    const day = dayOfPart(part)
    return (
      day !== undefined && !!settled_from && day < settled_from && settled.every((each) => each.day !== day)
    )
  },
  // Repeating and plain to-dos have different parts, and another device may have changed whether this to-do repeats.
  canHave({ current: { repeat }, parts }, part) {
    if (parts.includes('repeat')) return true
    return part.startsWith('moved:') ? repeat !== null : part !== 'due_day' || repeat === null
  },
  reveal(todo, when, varsOf) {
    const { settled = [], settled_from } = todo
    if (!settled_from) return todo
    const hidden = varsOf(settleOccurrence).filter(({ id, day }) => id === todo.id && day < settled_from)
    if (hidden.length === 0) return todo
    const days = hidden.map(({ day, at, state, done_on, was = 'open', was_on = null }) => ({
      day,
      at,
      moved_to: null,
      ...(when === 'before' ? { state: was, done_on: was_on } : { state, done_on }),
    }))
    return {
      ...todo,
      settled: [...settled.filter(({ day }) => days.every((each) => each.day !== day)), ...days],
    }
  },
  elsewhere: (varsOf) =>
    [...varsOf(setTodoCompleted), ...varsOf(deleteTodo)].flatMap(({ elsewhere }) => elsewhere ?? []),
  // A new to-do can be removed although its position changed: the server may choose another position if this device's clock is
  // wrong.
  incidental: ['position'],
  goesAlone: ({ id }, removed, all) =>
    all.every(({ id: other, parent_id }) => parent_id !== id || removed.some((row) => row.id === other)),
  goesWith: ({ parent_id }) => parent_id,
  // Rule and due day are written together: a due day sent along with a rule becomes the rule's first day.
  inseparable: ['repeat', 'due_day'],
  set(write, row, around) {
    set(write, row, around.moment)
    if (row.parts.includes('completed')) setCompleted(write, row, around)
  },
  remove(write, rows, moment) {
    // The subtasks are deleted with their parents.
    for (const { id, title } of withoutTheirOwn(rows)) void write(deleteTodo, { id, title, at: wire(moment) })
  },
  restore(write, rows, moment) {
    for (const todo of withoutTheirOwn(rows)) {
      const subtasks = rows.filter(({ parent_id }) => parent_id === todo.id)
      void write(restoreTodo, { todo, subtasks, at: wire(moment) })
    }
  },
})

function partsOf(todo: Todo): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>([
    ...edited.of(todo),
    ['completed', todo.completed],
    ['reminder', reminderToRestore(todo)],
    ...todo.tags.map((tag) => [`tag:${tagKey(tag)}`, tag] as const),
  ])
  const isRepeating = todo.repeat !== null
  // The due day of a repeating to-do is computed from its rule, so it is no part of its own.
  if (isRepeating) parts.delete('due_day')
  for (const { day, state, done_on, moved_to } of todo.settled ?? []) {
    if (state !== 'open') parts.set(`day:${day}`, { state, done_on })
    if (moved_to !== null && isRepeating) parts.set(`moved:${day}`, moved_to)
  }
  return parts
}

function set(write: QueueWrite, { current, target, parts }: RowToSet<Todo>, moment: Moment): void {
  const { id } = current
  const at = wire(moment)
  const named = { id, title: target.title, at }
  if (parts.includes('title')) void write(renameTodo, named)
  if (parts.includes('note')) void write(writeNote, { ...named, note: target.note })

  const { title, note, reminder, remind_at, ...fields } = edited.changes(target, parts)
  const changes: TodoChanges = fields
  if (parts.includes('reminder')) Object.assign(changes, reminderToRestore(target))
  if (parts.includes('repeat')) {
    // A due day sent along with a rule would become the rule's first day, so send none with a rule.
    if (target.repeat === null) changes.due_day = target.due_day
    else delete changes.due_day
  }
  const tags = tagsToSet(current, target, parts)
  if (Object.keys(changes).length > 0 || tags)
    void write(editTodo, { ...named, changes: { ...changes, ...(tags && { tags }) } })

  for (const part of parts) {
    const day = dayOfPart(part)
    if (day === undefined) continue
    const to = settledOf(target, day)
    if (part.startsWith('day:')) {
      const { state: was } = settledOf(current, day)
      void write(settleOccurrence, { ...named, day, state: to.state, done_on: to.done_on, was })
    } else void write(editTodo, { ...named, changes: { due_day: to.moved_to ?? day }, occurrence: day })
  }
}

function setCompleted(
  write: QueueUndo,
  { current: { id, title }, target: { completed, completed_at } }: RowToSet<Todo>,
  { rows, all, varsOf, moment: { now, timeZone, dayStart } }: Around<Todo>,
): void {
  const at = instantToWire(now)
  const today = dayOf(now, timeZone, dayStart)
  if (completed === 0) return void write(setTodoCompleted, { id, title, completed, day: today, at })
  const was = varsOf(setTodoCompleted).find((vars) => vars.id === id)
  const day =
    was?.was_on ?? (completed_at === null ? today : dayOf(instantFromWire(completed_at), timeZone, dayStart))
  const open = openSubtasks(all, id)
  const vars = { id, title, completed, day, at, subtasks: open }
  void write(setTodoCompleted, { ...vars, ...(completed_at !== null && { completed_at }) }, open)
  // The server completes all open subtasks along with the to-do. Reopen those that are not meant to be completed.
  const completedToo = new Set(
    rows.filter(({ target }) => target.completed === 1).map(({ target }) => target.id),
  )
  for (const subtask of all.filter((each) => open.includes(each.id) && !completedToo.has(each.id)))
    void write(setTodoCompleted, { id: subtask.id, title: subtask.title, completed: 0, day: today, at })
}

function tagsToSet(current: Todo, target: Todo, parts: readonly string[]) {
  const keys = new Set(parts.filter((part) => part.startsWith('tag:')).map((part) => part.slice(4)))
  if (keys.size === 0) return undefined
  const add = target.tags.filter((tag) => keys.has(tagKey(tag)))
  const remove = current.tags.filter((tag) => keys.has(tagKey(tag)) && !add.includes(tag))
  return { add, remove }
}

function settledOf({ settled = [] }: Todo, day: Day): Omit<SettledDay, 'day' | 'at'> {
  return settled.find((each) => each.day === day) ?? { state: 'open', done_on: null, moved_to: null }
}

function dayOfPart(part: string): Day | undefined {
  return daySchema.safeParse(/^(?:day|moved):(.*)$/.exec(part)?.[1]).data
}

function titleOf({ added, removed, changed }: RowChanges<Todo>): string {
  const rows = withoutTheirOwn([...added, ...removed, ...changed.map(({ to }) => to)])
  const what = rows.length === 1 ? 'Task' : counted(rows.length, 'task')
  if (added.length > 0) return `${what} added`
  if (removed.length > 0) return `${what} deleted`
  const parts = [...new Set(changed.flatMap(({ parts }) => parts.map((part) => part.replace(/:.*/, ''))))]
  const [part = ''] = parts
  if (parts.length !== 1) return `${what} changed`
  if (part === 'completed' || part === 'day') {
    const isDone = changed.some(({ to, parts }) =>
      part === 'day' ? parts.some((each) => partsOf(to).has(each)) : to.completed === 1,
    )
    return `${what} ${isDone ? 'completed' : 'reopened'}`
  }
  const several = `${what} changed`
  return rows.length > 1 ? several : (titles.get(part) ?? edited.title(changed, several))
}

/** Titles for parts that are not fields, or that need a better title than their field's label. */
const titles = new Map([
  ['title', 'Task renamed'],
  ['moved', 'Due date changed'],
  ['list_id', 'Task moved'],
  ['position', 'Task moved'],
  ['parent_id', 'Task moved'],
  ['tag', 'Tags changed'],
])

function wire({ now }: Moment): string {
  return instantToWire(now)
}
