import { CircleCheck } from 'lucide-react'
import { cn } from '#platform/ui/class-names.ts'
import { type FocusPlan, formatPlan } from '../plan/focus-plan.ts'
import { isBreakKind } from '../timer/phase.ts'
import type { Shown } from '../timer/timer.ts'
import { breakDue, endWords } from '../timer/web/phase-words.ts'

/** Shows how many sessions of the cycle are done, and the plan. At the end of a phase, says that the phase is over. */
export function CycleLine({ shown, plan }: { shown: Shown; plan: FocusPlan }) {
  const { status, kind, secondsPassed } = shown
  const over = status === 'finished'
  const words =
    kind === 'flow'
      ? ['One turn is an hour.', breakDue(secondsPassed)].filter(Boolean).join(' ')
      : formatPlan(plan)
  return (
    <div className="mt-2.5 flex min-h-10 flex-wrap items-center justify-center gap-x-3 gap-y-1 text-control">
      <CycleBlocks shown={shown} every={plan.every} />
      {!over && <p className="text-ink-2 tabular-nums">{words}</p>}
      <p role="status" className={cn('flex items-center gap-2 font-medium text-accent', !over && 'sr-only')}>
        {over && (
          <>
            <CircleCheck size={18} className="shrink-0" />
            {endWords(kind)}
          </>
        )}
      </p>
    </div>
  )
}

function CycleBlocks({ shown, every }: { shown: Shown; every: number }) {
  const { status, kind, secondsPassed, length, completed } = shown
  const countsUp = kind === 'flow'
  const done = doneOf(shown, every)
  // A phase that counts up has no length, so it cannot be partly done, and its cycle has no target number of sessions.
  const part = kind === 'focus' && status !== 'finished' && length > 0 ? secondsPassed / length : 0
  const count = countsUp ? Math.min(completed, mostBlocks) : every
  if (count === 0) return null
  return (
    <span className="flex flex-wrap gap-1">
      <span className="sr-only">
        {countsUp ? `${completed} sessions done, ` : `${done} of ${every} sessions done, `}
      </span>
      {Array.from({ length: count }, (_, place) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks are alike
          key={place}
          aria-hidden="true"
          className="block h-1.5 w-5 overflow-hidden rounded-full bg-heat-0"
        >
          <span
            className={cn(
              'block h-full',
              place < done || countsUp || status !== 'running' ? 'bg-accent' : 'bg-amber',
            )}
            style={{ width: `${100 * (place < done || countsUp ? 1 : place === done ? part : 0)}%` }}
          />
        </span>
      ))}
    </span>
  )
}

const mostBlocks = 12

/** Completed sessions since the last long break. Stays at `every` during the long break; the next focus phase resets it. */
function doneOf({ status, kind, completed }: Shown, every: number): number {
  const resting = status === 'finished' || isBreakKind(kind)
  if (!resting || completed === 0) return completed % every
  return ((completed - 1) % every) + 1
}
