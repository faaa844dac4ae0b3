import type { FocusSession } from '../sessions/focus-session.ts'
import { runLength } from '../timer/phase.ts'

/** One block per session, filled in proportion to 25 minutes. */
export function FocusBlocks({ sessions }: { sessions: readonly FocusSession[] }) {
  return (
    <span aria-hidden="true" className="flex flex-wrap gap-1">
      {sessions.toReversed().map(({ id, duration }) => (
        <span key={id} className="block h-2 w-5 overflow-hidden rounded-[2px] bg-heat-0">
          <span
            className="block h-full bg-accent"
            style={{ width: `${100 * Math.min(1, (1_000 * duration) / runLength)}%` }}
          />
        </span>
      ))}
    </span>
  )
}
