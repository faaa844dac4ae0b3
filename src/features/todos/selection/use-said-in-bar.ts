import { useEffect, useState } from 'react'
import type { FailedWrite } from '#platform/sync/local-store/queued-write.ts'
import { toastIdOf } from '#platform/sync/react/offer-undo.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useFailedWrites } from '#platform/sync/react/use-failed-writes.ts'
import { toast } from '#platform/ui/toasts/toast.ts'
import type { TodoActions } from '../todo/web/todo-actions.ts'
import { todoCollection } from '../todo/web/todo-queries.ts'

interface Said {
  /** What was done, such as '3 tasks moved to Home'; undefined if nothing was. */
  title?: string
  /** The toast that says it once the bar is gone. */
  toast?: { id: string; description: string }
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
    const description = more?.description ?? row.title
    const id = toastIdOf({ list: todoCollection.name, subject: row.id })
    const change = changes.describeChange({ title, description, toastId: id })
    if (!change) return
    const undo = () => changes.request({ direction: 'undo', change })
    setSaid({ title, toast: { id, description }, failed, undo })
  }
  // A write that failed since may have been this one: a toast says so.
  const current = said?.failed === failed ? said : undefined
  return {
    said: current,
    /** The actions whose results are said in the bar. */
    actions: { ...todoActions, offer },
    remark: (remark: string) => setSaid((now) => ({ failed, ...now, remark })),
    forget: () => setSaid(undefined),
    /** Hands what was said to a toast, with its Undo, because the bar goes. */
    sayInToast() {
      setSaid(undefined)
      if (!current?.title || !current.toast || !current.undo) return
      const { title, undo, remark } = current
      const { id, description } = current.toast
      toast(title, { id, description: remark ?? description, action: { label: 'Undo', onClick: undo } })
    },
  }
}
