import { useEffect, useRef } from 'react'
import { copyText } from '#platform/ui/copy-text.ts'
import { toast } from '#platform/ui/toast.ts'
import type { AccountSync } from './account-sync.ts'
import type { Notice } from './entry.ts'
import { withdrawUndo } from './offer-undo.ts'
import { useSync } from './sync-context.ts'
import { useNotices } from './use-notices.ts'
import { useSyncState } from './use-sync-state.ts'

/** Tells of writes that could not be made. What was typed stays until the person has settled it in one of the tabs. */
export function Notices() {
  const sync = useSync()
  const { durable, trouble } = useSyncState()
  const notices = useNotices()
  const told = useRef(new Map<string, Notice>())

  useEffect(() => {
    const current = new Map(notices.map((notice) => [toastId(notice), notice]))
    const before = told.current
    told.current = current
    for (const id of before.keys()) if (!current.has(id)) toast.dismiss(id)
    for (const [id, notice] of current) {
      // Its toast also goes when this screen takes it away, which does not settle it.
      if (!before.has(id)) tell(id, notice, sync, () => told.current.has(id))
    }
  }, [notices, sync])

  useEffect(() => {
    if (durable) return
    toast.warning('Changes are kept only while this tab is open', {
      id: 'sync-not-durable',
      duration: Number.POSITIVE_INFINITY,
      description: "This browser doesn't let Daymark store data. Changes already sent are safe.",
    })
  }, [durable])

  useEffect(() => {
    if (trouble === undefined) return
    const stays = durable
      ? 'Your changes are kept on this device and will be sent automatically.'
      : 'Keep this tab open.'
    toast.warning("Changes can't be saved to the server right now", {
      id: 'sync-trouble',
      duration: Number.POSITIVE_INFINITY,
      description: `${trouble} ${stays}`,
    })
    return () => toast.dismiss('sync-trouble')
  }, [trouble, durable])

  // They hold an account's own words: nothing of them stays on the screen when it is left.
  useEffect(() => {
    return () => {
      const shown = told.current
      told.current = new Map()
      for (const id of shown.keys()) toast.dismiss(id)
    }
  }, [])

  return null
}

function toastId(notice: Notice): string {
  return `sync-${notice.account}-${notice.id}`
}

function tell(id: string, notice: Notice, sync: AccountSync, stillTold: () => boolean): void {
  const { held, again, texts, row } = notice
  if (row) withdrawUndo(row)
  const dismiss = () => attempt(sync.outbox.dismiss(notice))
  const copy = {
    label: 'Copy',
    onClick: () => {
      copyText(texts.join('\n'))
      dismiss()
    },
  }
  const discard = held && { label: 'Discard', onClick: () => attempt(sync.discard(held)) }
  const tryAgain = again.length > 0 && {
    label: 'Try again',
    onClick: () => attempt(sync.tryAgain(notice)),
  }
  const way = discard || tryAgain
  toast.error(notice.title, {
    id,
    // What nobody has typed is told like any other error; the top bar leads to it as long as it is not settled.
    ...(notice.typed && { duration: Number.POSITIVE_INFINITY }),
    description: `${inQuotes(texts)}: ${notice.reason}`,
    action: way || copy,
    ...(way && { otherAction: copy }),
    onDismiss: () => {
      if (stillTold()) dismiss()
    },
  })
}

/** The reason stands behind it, so a long text is only begun; 'Copy' copies all of it. */
function inQuotes(texts: readonly string[]): string {
  const most = Math.floor(80 / texts.length)
  return texts
    .map((text) => (text.length > most ? `${text.slice(0, most).trimEnd()}…` : text))
    .map((text) => `“${text}”`)
    .join(' ')
}

function attempt(work: Promise<void>): void {
  work.catch((error: unknown) => console.warn('The device could not be changed', error))
}
