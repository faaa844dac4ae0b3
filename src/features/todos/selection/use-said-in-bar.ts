import { useEffect, useState } from 'react'
import type { FailedWrite } from '#platform/sync/local-store/queued-write.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useFailedWrites } from '#platform/sync/react/use-failed-writes.ts'
import type { TodoActions } from '../todo/web/todo-actions.ts'

interface Said {
  /** What was done, such as '3 tasks moved to Home'; undefined if nothing was. */
  title?: string
  /** What was not done, and why. */
  remark?: string
  undo?(): void
  /** The failed writes at that time. */
  failed: readonly FailedWrite[]
}

/** What was last done to the selected to-dos. Their bar says it and offers to undo it, so that no toast has to. */
export function useSaidInBar(todoActions: TodoActions) {
  const { changes } = useSync()
  const failed = useFailedWrites()
  const [said, setSaid] = useState<Said>()
  // When something is undone or redone, what was said is no longer so.
  useEffect(() => changes.subscribe(() => setSaid(undefined)), [changes])
  const offer: TodoActions['offer'] = (title, row, more) => {
    const notice = { title, description: more?.description ?? row.title, toastId: 'said-in-bar' }
    const change = changes.describeChange(notice)
    if (change) setSaid({ title, failed, undo: () => changes.request({ direction: 'undo', change }) })
  }
  return {
    // A write that failed since may have been this one: a toast says so.
    said: said?.failed === failed ? said : undefined,
    /** The actions whose results are said in the bar. */
    actions: { ...todoActions, offer },
    remark: (remark: string) => setSaid((now) => ({ failed, ...now, remark })),
    forget: () => setSaid(undefined),
  }
}
