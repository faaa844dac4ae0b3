import { instantToWire } from '#platform/calendar/day.ts'
import { putsBack } from '#platform/sync/undo/put-back.ts'
import type { RowChanges } from '#platform/sync/undo/undoing.ts'
import type { PauseRow } from '../pause.ts'
import { deletePause, editPause, type PausedDays, pauseList, restorePause } from './pause-queries.ts'

const fields = ['from_day', 'to_day'] as const satisfies (keyof PausedDays)[]

/** Puts back pauses. */
export const putsBackPauses = putsBack<PauseRow>({
  collection: pauseList,
  idOf: ({ id }) => id,
  nameOf: nameOfPause,
  titleOf,
  partsOf: (pause) => new Map(fields.map((field) => [field, pause[field]])),
  set(write, { current, target, parts }, { varsOf, moment: { now } }) {
    const changes: Partial<PausedDays> = {}
    for (const field of fields) if (parts.includes(field)) Object.assign(changes, { [field]: target[field] })
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

/** Its habit is another row, which nobody here knows. */
function nameOfPause(): string {
  return 'Pause'
}

function titleOf({ added, removed }: RowChanges<PauseRow>): string {
  if (added.length > 0) return 'Paused'
  return removed.length > 0 ? 'Pause deleted' : 'Pause changed'
}
