import * as z from 'zod/mini'
import type { Day } from '#platform/calendar/day.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import { changed, deletion, restoration } from '#platform/sync/collections/row-writes.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import { readKnown } from '#platform/wire/known-forms.ts'
import { localShape } from '#platform/wire/synced-row.ts'
import { type PauseRow, pauseNones } from '../pause.ts'
import { pauseRow } from '../pause-row.ts'

// `at` is the instant of the person's change (ISO 8601 in UTC), set when they make it. `name` is the habit's, or 'All habits'; it
// is only used to tell the person what could not be saved.

/** The pauses of each habit and of all habits. */
export const pauseCollection: Collection<PauseRow> = {
  name: 'pauses',
  path: '/api/pauses',
  rows: (response) => readKnown(storedSchema, response, { pauses: pauseNones }).pauses,
  order: byCreation,
}

/** Pauses as stored on the device, possibly by the previous version. */
const storedSchema = z.object({ pauses: z.array(z.object(localShape(pauseRow))) })

export interface PausedDays {
  from_day: Day
  to_day: Day | null
}

export const addPause: Write<
  PauseRow,
  PausedDays & { id: string; habit_id: string | null; name: string; at: string }
> = {
  name: 'pauses.add',
  version: 1,
  collection: pauseCollection,
  apply: (rows, { name: _, at, ...pause }) =>
    rows.some(({ id }) => id === pause.id)
      ? [...rows]
      : [...rows, { ...pause, created_at: at, updated_at: at }],
  request: ({ name: _, ...body }) => ({ method: 'POST', path: '/api/pauses', body }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to pause',
  text: ({ name }) => name,
}

/** `changes` holds only what the person changed. */
export const editPause: Write<
  PauseRow,
  { id: string; name: string; changes: Partial<PausedDays>; at: string }
> = {
  name: 'pauses.edit',
  version: 1,
  collection: pauseCollection,
  apply: (rows, { id, changes, at }) => changed(rows, id, changes, { updated_at: at }),
  request: ({ id, changes, at }) => ({ method: 'PUT', path: `/api/pauses/${id}`, body: { ...changes, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to change the pause',
  text: ({ name }) => name,
}

export const deletePause = deletion<PauseRow, { id: string; name: string; at: string }>({
  name: 'pauses.delete',
  collection: pauseCollection,
  refusal: 'Failed to delete the pause',
  text: ({ name }) => name,
})

/** Restores a deleted pause: `pause` is its state before the deletion. */
export const restorePause = restoration<PauseRow, { pause: PauseRow; name: string; at: string }>({
  name: 'pauses.restore',
  collection: pauseCollection,
  rowOf: ({ pause }) => pause,
  order: byCreation,
  refusal: 'Failed to restore the pause',
  text: ({ name }) => name,
})

/** Every write to pauses that may be queued on a device. The sync provider needs them all. */
export const pauseWrites = [addPause, editPause, deletePause, restorePause]

/** Sorts pauses as the server lists them: their ids begin with when they were made. */
function byCreation(one: PauseRow, other: PauseRow): number {
  if (one.created_at === other.created_at) return one.id < other.id ? -1 : 1
  return one.created_at < other.created_at ? -1 : 1
}
