import type { List } from '#features/lists/list.ts'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { instantToWire } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { parentOf, withoutTheirOwn } from '../subtasks.ts'
import { hasTag, mostTags } from '../tags.ts'
import type { Todo } from '../todo.ts'
import { closeReminderOf } from './close-reminder.ts'
import { titlesOf } from './titles-of.ts'
import { deleteTodo, editTodo, type TodoChanges, todoList } from './todo-queries.ts'
import { writeCompletion } from './write-completion.ts'

export interface ChosenActions {
  /** Completes those that are open. */
  complete(chosen: readonly Todo[]): void
  /** Undefined takes them out of their lists. Subtasks stay with their parents. */
  moveToList(chosen: readonly Todo[], list: List | undefined): void
  addTag(chosen: readonly Todo[], tag: string): void
  remove(chosen: readonly Todo[]): void
}

/** What can be done to several to-dos at once: each is one change, with one Undo. `all`: every to-do of this device. */
export function useChosenActions(all: readonly Todo[]): ChosenActions {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const { changes } = useSync()
  const { timeZone, dayStart } = useUserCalendar()
  const offer = (title: string, changed: readonly Todo[]) =>
    offerUndo(title, {
      row: { list: todoList.name, subject: changed[0]?.id ?? '' },
      description: titlesOf(changed),
    })
  const edit = ({ id, title }: Todo, change: TodoChanges) =>
    write(editTodo, { id, title, changes: change, at: instantToWire(Date.now()) })
  return {
    complete(chosen) {
      const moment = { now: Date.now(), timeZone, dayStart }
      const done = withoutTheirOwn(chosen.filter(({ completed }) => completed === 0)).filter(
        (todo) => writeCompletion(write, todo, { completed: true, all, moment }) !== 'none',
      )
      for (const todo of done) closeReminderOf(todo)
      if (done.length > 0) offer(`${counted(done.length, 'task')} completed`, done)
    },
    moveToList(chosen, list) {
      const byId = new Map(all.map((todo) => [todo.id, todo]))
      const to = list?.id ?? null
      const moving = chosen.filter((todo) => !parentOf(todo, byId) && todo.list_id !== to)
      if (moving.length === 0) return
      changes.announceRows(moving.map(({ id }) => id))
      for (const todo of moving) void edit(todo, { list_id: to })
      const what = counted(moving.length, 'task')
      offer(list ? `${what} moved to ${list.name}` : `${what} taken out of their lists`, moving)
    },
    addTag(chosen, tag) {
      const tagging = chosen.filter(({ tags }) => !hasTag(tags, tag) && tags.length < mostTags)
      for (const todo of tagging) void edit(todo, { tags: { add: [tag] } })
      if (tagging.length > 0) offer(`#${tag} added to ${counted(tagging.length, 'task')}`, tagging)
    },
    remove(chosen) {
      // Their subtasks go with them.
      const removing = withoutTheirOwn(chosen)
      changes.announceRows(chosen.map(({ id }) => id))
      for (const { id, title } of removing)
        void write(deleteTodo, { id, title, at: instantToWire(Date.now()) })
      for (const todo of removing) closeReminderOf(todo)
      if (removing.length > 0) offer(`${counted(removing.length, 'task')} deleted`, removing)
    },
  }
}
