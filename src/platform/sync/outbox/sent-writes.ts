import { instantToWire } from '#platform/calendar/day.ts'
import type { NewQueuedWrite, QueuedWrite } from '../local-store/queued-write.ts'
import type { TabReplica } from '../local-store/tab-replica.ts'
import { addLateTimestamps, type KnownTime } from './late-timestamps.ts'

// What happens to queued writes once they are sent. Functions that store something reject if the local store fails.

/** Adds timestamps to writes that were made while the server clock's offset was unknown. */
export async function addTimestamps(replica: TabReplica, known: KnownTime<QueuedWrite>): Promise<void> {
  const stamped = await replica.run((store, account, incarnation) =>
    store.addTimestamps(account, incarnation, (last, waiting) => addLateTimestamps(last, waiting, known)),
  )
  if (stamped === undefined) return
  await replica.reread()
  replica.changed()
}

/** Marks writes as accepted by the server. They stay applied on top until a read that starts later has arrived. */
export async function acknowledge(replica: TabReplica, writes: readonly QueuedWrite[]): Promise<void> {
  if (writes.length === 0) return
  const done = new Set(writes.map(({ seq }) => seq))
  const acknowledged = await replica.run((store, account, incarnation) =>
    store.acknowledge(account, incarnation, [...done]),
  )
  if (acknowledged === undefined) return
  replica.changed({
    writes: replica.writes.map((other) => (done.has(other.seq) ? { ...other, acknowledged } : other)),
  })
}

/** The variables of a write as they are sent, with the instant by the server's clock. */
export function sentVars({ at, vars }: NewQueuedWrite): unknown {
  return at === undefined || typeof vars !== 'object' ? vars : { ...vars, at: instantToWire(at) }
}
