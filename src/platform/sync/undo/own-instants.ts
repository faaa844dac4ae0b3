import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { deviceTimeOf } from '../local-store/change-timestamp.ts'
import type { NewQueuedWrite, QueuedWrite, TakesBack } from '../local-store/queued-write.ts'
import type { OwnWrite } from './change-history.ts'

// If the person changed a value again later, that change wins over the undo or redo of the earlier one. So an undo or redo is not
// timestamped now, but right after the writes of this tab that it takes back. See `docs/merging.md`.

/** Updates the writes of this tab with the timestamps they got when stored. `stored`: the writes that the device still has. */
export function learnInstants(own: Iterable<OwnWrite>, stored: readonly QueuedWrite[]): void {
  const unsure = [...own].filter((each) => !isSure(each))
  if (unsure.length === 0) return
  const byId = new Map(stored.map((write) => [write.id, write]))
  for (const each of unsure) each.made = byId.get(each.made.id) ?? each.made
}

/** Whether the write's timestamp is final. Until the write is stored, it may still move a little, except for an undo or redo. */
function isSure({ made }: OwnWrite): boolean {
  return made.at !== undefined && ('seq' in made || made.takesBack !== undefined)
}

/** Makes a write with a timestamp right after some other writes of this tab. */
export function madeAfter(
  own: readonly OwnWrite[],
  by: TakesBack['by'],
  make: (at: string | undefined) => NewQueuedWrite,
): NewQueuedWrite {
  const dated = own.filter(({ made }) => deviceTimeOf(made.vars) !== undefined)
  const shown = latest(dated.flatMap(({ made }) => deviceTimeOf(made.vars) ?? []))
  if (shown === undefined) return make(undefined)
  const undated = { at: undefined, after: undefined, guess: undefined }
  // An undo writes the earlier values, which nobody typed just now.
  const write = { ...make(instantToWire(shown + 1)), ...undated, ...(by === 'undo' && { typed: undefined }) }
  const known = latest(dated.flatMap(({ made }) => made.at ?? made.after ?? []))
  const after = known === undefined ? undefined : known + 1
  const unsure = dated.filter((each) => !isSure(each))
  if (unsure.length === 0) return { ...write, at: after, takesBack: { by, follows: [] } }
  const guess = unsure.flatMap(({ made }) => made.guess ?? []).at(-1)
  return { ...write, after, guess, takesBack: { by, follows: unsure.map(({ made }) => made.id) } }
}

function latest(instants: readonly Instant[]): Instant | undefined {
  return instants.length === 0 ? undefined : Math.max(...instants)
}
