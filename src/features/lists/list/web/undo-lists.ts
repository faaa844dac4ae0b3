import { instantToWire } from '#platform/calendar/day.ts'
import { editedParts } from '#platform/sync/undo/edited-parts.ts'
import { undoableCollection } from '#platform/sync/undo/plan-undo.ts'
import type { RowChanges } from '#platform/sync/undo/undoing.ts'
import type { List } from '../list.ts'
import { listRow } from '../list-row.ts'
import { lists } from './list-queries.ts'
import { deleteList, editList, restoreList } from './list-writes.ts'

const edited = editedParts(listRow)

/** Undoes changes of lists. The tasks in the lists stay where they are. */
export const undoableLists = undoableCollection<List>({
  collection: lists,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  titleOf,
  partsOf: (list) => new Map(edited.of(list)),
  set(write, { current, target, parts }, { moment: { now } }) {
    const changes = edited.changes(target, parts)
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
  const archived = changed.find(({ parts }) => parts.includes('archived_at'))
  if (archived) return archived.to.archived_at === null ? 'List taken out of the archive' : 'List archived'
  return edited.title(changed, 'List changed')
}
