import { useState } from 'react'
import { useToday } from '#platform/browser/clock/user-calendar.tsx'
import { sendQueued } from '#platform/sync/account/unsent-writes.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import type { OtherFormat } from '../other-formats.ts'
import { downloadAs, download as downloadFile } from './download.ts'
import type { Outcome } from './outcome.ts'

/** In milliseconds: how long a download waits until queued writes on this device have reached the server. */
const patience = 5_000

/**
 * Saves everything as a file, or a part of it in another format. Includes queued writes on this device if they can be sent in
 * time.
 */
export function useDownload(report: (outcome: Outcome | undefined) => void) {
  const sync = useSync()
  const today = useToday()
  const [downloading, setDownloading] = useState<'everything' | OtherFormat>()

  const download = async (format?: OtherFormat) => {
    report(undefined)
    setDownloading(format ?? 'everything')
    await sendQueued(sync, patience)
    const unsent = sync.outbox.waiting
    const done = await (format ? downloadAs(sync.account, format, today) : downloadFile(sync.account))
    setDownloading(undefined)
    if ('problem' in done) return report({ problem: `Nothing was downloaded. ${done.problem}` })
    report({ message: unsent === 0 ? done.saved : `${done.saved} ${unsentNote(unsent)}` })
  }

  return { download, downloading }
}

function unsentNote(unsent: number): string {
  return unsent === 1
    ? "1 change made on this device isn't included, because it hasn't been sent yet."
    : `${unsent} changes made on this device aren't included, because they haven't been sent yet.`
}
