import { formatRequestProblem, type RequestProblem } from '#platform/sync/network/request-problem.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'

interface TasksNotLoadedProps {
  problem: RequestProblem
  /** Whether a retry is under way. */
  busy: boolean
  retry(): void
}

/** Shown instead of tasks that couldn't be loaded: the reason, and a button to try again. */
export function TasksNotLoaded({ problem, busy, retry }: TasksNotLoadedProps) {
  return (
    <div role="alert">
      <EmptyState sentence="Your tasks couldn't be loaded." hint={formatRequestProblem(problem)}>
        <Button variant="secondary" busy={busy} onClick={retry}>
          Try again
        </Button>
      </EmptyState>
    </div>
  )
}
