import { CalendarCheck, ListTodo, Timer } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { formatRequestProblem, type RequestProblem } from '#platform/sync/network/request-problem.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import type { Metric } from './day-value.ts'
import { titleOf } from './format-metric.ts'

const icons = { todos: ListTodo, habits: CalendarCheck, focus: Timer }

/** The frame of a metric's card. It is the same while loading, after a failure, and with content. */
export function CardFrame({
  metric,
  busy,
  children,
}: {
  metric: Metric
  busy?: boolean
  children: ReactNode
}) {
  const heading = useId()
  const Icon = icons[metric]
  return (
    <section
      aria-labelledby={heading}
      aria-busy={busy || undefined}
      className="rounded-card bg-raised p-5 ring ring-line max-sm:p-4"
    >
      <h2 id={heading} className="flex items-center gap-2 text-control font-medium text-ink-2">
        <Icon aria-hidden="true" className="shrink-0" />
        {titleOf[metric]}
      </h2>
      {children}
    </section>
  )
}

/** Placeholders for the card's content, of the same size, so that nothing moves when the content arrives. */
export function CardSkeleton() {
  return (
    <div>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <SkeletonBody />
    </div>
  )
}

/** Says that the card failed to load. Takes exactly the space of the content. */
export function CardFailure({
  what,
  problem,
  onRetry,
}: {
  what: string
  problem: RequestProblem | undefined
  onRetry(): void
}) {
  return (
    <div className="grid *:col-start-1 *:row-start-1">
      <div className="invisible">
        <SkeletonBody />
      </div>
      <div role="alert" className="flex flex-col items-start justify-center gap-3 text-control text-ink-2">
        <p>
          {what} couldn't be loaded. {problem && formatRequestProblem(problem)}
        </p>
        <Button variant="secondary" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </div>
  )
}

function SkeletonBody() {
  return (
    <div aria-hidden="true">
      <div className="mt-2 flex min-h-11 items-center">
        <span className="h-8 w-20 rounded-box bg-heat-0" />
      </div>
      <div className="mt-1 flex min-h-5 items-center">
        <span className="h-3 w-44 max-w-full rounded-box bg-heat-0" />
      </div>
      <div className="mt-3 flex flex-col justify-end min-h-[calc(2rem+68px)] pointer-coarse:min-h-[calc(2rem+120px)]">
        <div className="flex h-15 items-end gap-2">
          {[40, 60, 30, 50, 20, 45, 35].map((height) => (
            <span key={height} className="flex-1 rounded-t-[2px] bg-heat-0" style={{ height }} />
          ))}
        </div>
        <div className="mt-1 min-h-4 shadow-[inset_0_1px_var(--line)] pointer-coarse:mb-13" />
      </div>
    </div>
  )
}
