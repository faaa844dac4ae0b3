import { changedTags, hasTag, tagKey } from '#features/todos/todo/tags.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import type { Write } from '#platform/sync/collections/write.ts'

// Apart from the other writes of to-dos: no first screen makes them.

/** Renames a tag on all to-dos, including those that this device does not have. */
export const renameTag: Write<Todo, { tag: string; to: string; at: string }> = {
  name: 'todos.rename-tag',
  version: 1,
  collection: todoCollection,
  apply: (rows, { tag, to }) => rows.map((todo) => withoutTag(todo, tag, [to])),
  request: ({ tag, to, at }) => ({ method: 'PUT', path: pathOfTag(tag), body: { tag: to, at } }),
  subject: subjectOfTag,
  refusal: 'Failed to rename tag',
  text: ({ to }) => to,
  typed: true,
}

/** Removes a tag from all to-dos, including those that this device does not have. */
export const removeTag: Write<Todo, { tag: string; at: string }> = {
  name: 'todos.remove-tag',
  version: 1,
  collection: todoCollection,
  apply: (rows, { tag }) => rows.map((todo) => withoutTag(todo, tag)),
  request: ({ tag, at }) => ({
    method: 'DELETE',
    path: `${pathOfTag(tag)}?at=${encodeURIComponent(at)}`,
  }),
  subject: subjectOfTag,
  refusal: 'Failed to remove tag',
  text: ({ tag }) => tag,
}

/**
 * The to-do without the tag, and with the tags in `add`. Returns the same object if the to-do does not have the tag, so that it
 * is not rendered again.
 */
function withoutTag(todo: Todo, tag: string, add: string[] = []): Todo {
  if (!hasTag(todo.tags, tag)) return todo
  return { ...todo, tags: changedTags(todo.tags, { remove: [tag], add }) }
}

function pathOfTag(tag: string): string {
  return `/api/tags/${encodeURIComponent(tag)}`
}

function subjectOfTag({ tag }: { tag: string }): string {
  return `tag ${tagKey(tag)}`
}

/** For the sync provider. */
export const tagWrites = [renameTag, removeTag]
