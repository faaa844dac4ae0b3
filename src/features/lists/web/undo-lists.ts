import { instantToWire } from '#platform/calendar/day.ts'
import { putsBack } from '#platform/sync/undo/put-back.ts'
import type { RowChanges } from '#platform/sync/undo/undoing.ts'
import type { List } from '../list.ts'
import { deleteList, editList, type ListFields, lists, restoreList } from './list-queries.ts'

const fields = ['name', 'color', 'sort', 'archived_at', 'position'] as const satisfies (keyof ListFields)[]

/** Puts back lists. What is in them stays in them. */
export const putsBackLists = putsBack<List>({
  collection: lists,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  titleOf,
  partsOf: (list) => new Map(fields.map((field) => [field, list[field]])),
  set(write, { current, target, parts }, { moment: { now } }) {
    const changes: Partial<ListFields> = {}
    for (const field of fields) if (parts.includes(field)) Object.assign(changes, { [field]: target[field] })
    void write(editList, { id: current.id, changes, name: target.name, at: instantToWire(now) })
  },
  remove(write, rows, { now }) {
    for (const { id, name } of rows) void write(deleteList, { id, name, at: instantToWire(now) })
  },
  restore(write, rows, { now }) {
    for (const list of rows) void write(restoreList, { list, at: instantToWire(now) })
  },
})

function titleOf({ added, removed, changed }: RowChanges<List>): string {
  if (added.length > 0) return 'List added'
  if (removed.length > 0) return 'List deleted'
  return changed.some(({ parts }) => parts.includes('archived_at'))
    ? 'List taken out of the archive'
    : 'List changed'
}
