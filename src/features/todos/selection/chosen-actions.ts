import type { List } from '#features/lists/list/list.ts'
import { counted } from '#platform/format/words.ts'
import { parentOf, withoutTheirOwn } from '../todo/subtasks.ts'
import { hasTag, mostTags } from '../todo/tags.ts'
import type { Todo } from '../todo/todo.ts'
import { titlesOf } from '../todo/web/titles-of.ts'
import type { TodoActions } from '../todo/web/todo-actions.ts'

interface ChosenActions {
  /** Completes the open ones among the selected to-dos. */
  complete(chosen: readonly Todo[]): void
  /** Moves to-dos to a list, or with undefined out of their lists. Subtasks stay with their parents. */
  moveToList(chosen: readonly Todo[], list: List | undefined): void
  addTag(chosen: readonly Todo[], tag: string): void
  remove(chosen: readonly Todo[]): void
}

/** The actions on several to-dos at once. Each action is one change with one Undo. */
export function chosenActions({ allTodos, announceRows, ...actions }: TodoActions): ChosenActions {
  const offer = (what: string, changed: readonly Todo[]) => {
    const [first] = changed
    if (first) actions.offer(what, first, { description: titlesOf(changed) })
  }
  return {
    complete(chosen) {
      const open = chosen.filter(({ completed }) => completed === 0)
      const done = withoutTheirOwn(open).filter((todo) => actions.complete(todo, true).kind !== 'none')
      offer(`${counted(done.length, 'task')} completed`, done)
    },
    moveToList(chosen, list) {
      const byId = new Map(allTodos().map((todo) => [todo.id, todo]))
      const to = list?.id ?? null
      const moving = chosen.filter((todo) => !parentOf(todo, byId) && todo.list_id !== to)
      if (moving.length === 0) return
      announceRows(moving.map(({ id }) => id))
      for (const todo of moving) actions.edit(todo, { list_id: to })
      const what = counted(moving.length, 'task')
      offer(list ? `${what} moved to ${list.name}` : `${what} taken out of their lists`, moving)
    },
    addTag(chosen, tag) {
      const tagging = chosen.filter(({ tags }) => !hasTag(tags, tag) && tags.length < mostTags)
      for (const todo of tagging) actions.edit(todo, { tags: { add: [tag] } })
      offer(`#${tag} added to ${counted(tagging.length, 'task')}`, tagging)
    },
    remove(chosen) {
      // Subtasks are deleted along with their parents.
      const removing = withoutTheirOwn(chosen)
      announceRows(chosen.map(({ id }) => id))
      for (const todo of removing) actions.remove(todo)
      offer(`${counted(removing.length, 'task')} deleted`, removing)
    },
  }
}
