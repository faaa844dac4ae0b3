import type { FocusSession } from '../focus-session.ts'
import { runLength } from '../timer.ts'

/** More blocks than a day of work say no more than the number beside them. */
const mostBlocks = 16

/** What the timer has counted so far. */
export interface Unrecorded {
  seconds: number
  running: boolean
}

/** A block for each session, filled by its share of 25 minutes. */
export function FocusBlocks({
  sessions,
  unrecorded,
}: {
  sessions: readonly FocusSession[]
  unrecorded: Unrecorded | undefined
}) {
  const oldestFirst = sessions.slice(0, mostBlocks).toReversed()
  return (
    <span aria-hidden="true" className="flex flex-wrap gap-1">
      {oldestFirst.map(({ id, duration }) => (
        <Block key={id} seconds={duration} className="bg-accent" />
      ))}
      {unrecorded && (
        <Block seconds={unrecorded.seconds} className={unrecorded.running ? 'bg-amber' : 'bg-accent'} />
      )}
    </span>
  )
}

function Block({ seconds, className }: { seconds: number; className: string }) {
  const share = Math.min(1, (1_000 * seconds) / runLength)
  return (
    <span className="block h-2 w-5 overflow-hidden rounded-[2px] bg-heat-0">
      <span className={`block h-full ${className}`} style={{ width: `${share * 100}%` }} />
    </span>
  )
}
