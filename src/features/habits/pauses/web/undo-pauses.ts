import { instantToWire } from '#platform/calendar/day.ts'
import { editedParts } from '#platform/sync/undo/edited-parts.ts'
import { undoableCollection } from '#platform/sync/undo/plan-undo.ts'
import type { RowChanges } from '#platform/sync/undo/undoing.ts'
import type { PauseRow } from '../pause.ts'
import { pauseRow } from '../pause-row.ts'
import { deletePause, editPause, pauseCollection, restorePause } from './pause-queries.ts'

const edited = editedParts(pauseRow)

export const undoablePauses = undoableCollection<PauseRow>({
  collection: pauseCollection,
  idOf: ({ id }) => id,
  nameOf: nameOfPause,
  titleOf,
  partsOf: (pause) => new Map(edited.of(pause)),
  set(write, { current, target, parts }, { varsOf, moment: { now } }) {
    const changes = edited.changes(target, parts)
    const name = varsOf(editPause).find(({ id }) => id === current.id)?.name ?? nameOfPause()
    void write(editPause, { id: current.id, name, changes, at: instantToWire(now) })
  },
  remove(write, pauses, { now }) {
    for (const { id } of pauses) void write(deletePause, { id, name: nameOfPause(), at: instantToWire(now) })
  },
  restore(write, pauses, { now }) {
    for (const pause of pauses)
      void write(restorePause, { pause, name: nameOfPause(), at: instantToWire(now) })
  },
})

/** A generic name: the habit is a row of another collection, which is not available here. */
function nameOfPause(): string {
  return 'Pause'
}

function titleOf({ added, removed, changed }: RowChanges<PauseRow>): string {
  if (added.length > 0) return 'Paused'
  return removed.length > 0 ? 'Pause deleted' : edited.title(changed, 'Pause changed')
}
