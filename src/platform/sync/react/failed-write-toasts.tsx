import { useEffect, useRef, useSyncExternalStore } from 'react'
import { copyText } from '#platform/browser/device/copy-text.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { toast } from '#platform/ui/toasts/toast.ts'
import type { AccountSync } from '../account/account-sync.ts'
import { discard as discardHeld, retryOf } from '../account/retry.ts'
import type { FailedWrite } from '../local-store/queued-write.ts'
import { withdrawUndo } from './offer-undo.ts'
import { useSync } from './sync-context.ts'
import { useFailedWrites } from './use-failed-writes.ts'
import { useSyncState } from './use-sync-state.ts'

/** The browser cleared the storage, and this tab restored `unsent` unsent changes. */
export interface Cleared {
  unsent: number
}

/** Shows a toast for each failed write. A toast with typed text stays until the person has dealt with it in any tab. */
export function FailedWriteToasts({
  cleared,
  outdated,
}: {
  cleared: Cleared | undefined
  outdated: boolean
}) {
  const sync = useSync()
  useAskBeforeLosing(sync)
  const { durable, storageProblem } = useSyncState()
  const failedWrites = useFailedWrites()
  const shown = useRef(new Map<string, FailedWrite>())

  useEffect(() => {
    const current = new Map(failedWrites.map((failedWrite) => [toastId(failedWrite), failedWrite]))
    const before = shown.current
    shown.current = current
    for (const id of before.keys()) if (!current.has(id)) toast.dismiss(id)
    for (const [id, failedWrite] of current) {
      // A toast that this screen removes also calls `onDismiss`, but must not dismiss the failed write.
      if (!before.has(id)) showToast(id, failedWrite, sync, () => shown.current.has(id))
    }
  }, [failedWrites, sync])

  useEffect(() => {
    if (!outdated) return
    toast('Daymark was updated in another tab', {
      description: 'Reload this tab before you make more changes.',
      duration: Number.POSITIVE_INFINITY,
      action: { label: 'Reload', onClick: () => location.reload() },
    })
  }, [outdated])

  useEffect(() => {
    if (durable) return
    toast.warning('Changes are kept only while this tab is open', {
      id: 'sync-not-durable',
      duration: Number.POSITIVE_INFINITY,
      description: "This browser doesn't let Daymark store data. Changes already sent are safe.",
    })
  }, [durable])

  useEffect(() => {
    if (storageProblem === undefined) return
    const advice = durable
      ? 'Your changes are kept on this device and will be sent automatically.'
      : 'Keep this tab open.'
    toast.warning("Changes can't be saved to the server right now", {
      id: 'sync-problem',
      duration: Number.POSITIVE_INFINITY,
      description: `${storageProblem} ${advice}`,
    })
    return () => toast.dismiss('sync-problem')
  }, [storageProblem, durable])

  useEffect(() => {
    if (cleared && cleared.unsent > 0) showCleared(cleared)
  }, [cleared])

  // The toasts show the account's own texts, so none of them may stay on the screen after a sign-out.
  useEffect(() => {
    return () => {
      const last = shown.current
      shown.current = new Map()
      for (const id of last.keys()) toast.dismiss(id)
    }
  }, [])

  return null
}

/** Without storage, unsent writes are lost with the tab, so the browser asks before it closes the tab. */
function useAskBeforeLosing(sync: AccountSync) {
  const wouldLose = useSyncExternalStore(sync.subscribe, () => !sync.state.durable && sync.state.waiting > 0)
  useEffect(() => {
    if (!wouldLose) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [wouldLose])
}

function showCleared({ unsent }: Cleared) {
  toast.warning("This browser's storage was cleared", {
    duration: Number.POSITIVE_INFINITY,
    description:
      unsent === 1
        ? '1 unsent change was deleted with it, but this tab still had a copy and restored it.'
        : `${integerFormat.format(unsent)} unsent changes were deleted with it, but this tab still had copies and restored them.`,
  })
}

function toastId(failedWrite: FailedWrite): string {
  return `sync-${failedWrite.account}-${failedWrite.id}`
}

function showToast(
  id: string,
  failedWrite: FailedWrite,
  sync: AccountSync,
  isStillShown: () => boolean,
): void {
  const { held, texts, row } = failedWrite
  if (row) withdrawUndo(row)
  const dismiss = () => attempt(sync.outbox.dismiss(failedWrite))
  const copy = {
    label: 'Copy',
    onClick: () => {
      copyText(texts.join('\n'))
      dismiss()
    },
  }
  const discard = held && { label: 'Discard', onClick: () => attempt(discardHeld(sync, held)) }
  const retry = retryOf(sync, failedWrite)
  const tryAgain = retry && {
    label: retry.label,
    onClick: () => attempt(retry.run(instantToWire(Date.now()))),
  }
  const mainAction = discard || tryAgain
  toast.error(titleOfFailed(failedWrite), {
    id,
    // Without typed text, the toast times out like any other error. The top bar links to the failed write until it is settled.
    ...(failedWrite.typed && { duration: Number.POSITIVE_INFINITY }),
    description: `${inQuotes(texts)}: ${failedWrite.reason}`,
    action: mainAction || copy,
    ...(mainAction && { otherAction: copy }),
    onDismiss: () => {
      if (isStillShown()) dismiss()
    },
  })
}

/** The toast's title: what happened and, if known, who did it. */
export function titleOfFailed({ title, gone, late, takesBack }: FailedWrite): string {
  if (takesBack && (gone || late))
    return `Not ${takesBack === 'undo' ? 'undone' : 'redone'}: ${gone ? 'deleted on another device' : 'changed since'}`
  if (gone) return 'You deleted it on another device'
  return late ? 'You changed it later on another device' : title
}

/** Quotes the texts. Long ones are cut because the reason follows them; 'Copy' copies them in full. */
function inQuotes(texts: readonly string[]): string {
  const maxLength = Math.floor(80 / texts.length)
  return texts
    .map((text) => (text.length > maxLength ? `${text.slice(0, maxLength).trimEnd()}…` : text))
    .map((text) => `“${text}”`)
    .join(' ')
}

export function attempt(work: Promise<void>): void {
  work.catch((error: unknown) => console.warn('The device could not be changed', error))
}
