import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { toast } from '#platform/ui/toast.ts'
import type { AccountSync } from './account-sync.ts'
import type { Notice } from './entry.ts'
import { useSync } from './sync-context.ts'
import { useSyncState } from './use-sync-state.ts'

/** Tells of writes that could not be made, in toasts that stay until the person has settled them in one of the tabs. */
export function Notices() {
  const sync = useSync()
  const { outbox } = sync
  const { durable } = useSyncState()
  const subscribe = useCallback((listener: () => void) => outbox.subscribe(listener), [outbox])
  const notices = useSyncExternalStore(subscribe, () => outbox.notices)
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
    toast.warning('Changes are only kept while this tab is open', {
      id: 'sync-not-durable',
      duration: Number.POSITIVE_INFINITY,
      description: 'This browser gives Daymark no storage. What is sent is safe.',
    })
  }, [durable])

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
  const { held, again, texts } = notice
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
    duration: Number.POSITIVE_INFINITY,
    description: [...texts.map((text) => `“${text}”`), notice.reason].join(' '),
    action: way || copy,
    cancel: way ? copy : undefined,
    onDismiss: () => {
      if (stillTold()) dismiss()
    },
  })
}

function attempt(work: Promise<void>): void {
  work.catch((error: unknown) => console.warn('The device could not be changed', error))
}

function copyText(text: string): void {
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).catch(() => copyBySelection(text))
    return
  }
  copyBySelection(text)
}

/** Plain http is no secure context and has no clipboard of its own. */
function copyBySelection(text: string): void {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
