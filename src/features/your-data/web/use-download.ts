import { useState } from 'react'
import { useSync } from '#platform/sync/sync-context.ts'
import { download as downloadFile } from './download.ts'
import type { Outcome } from './outcome.ts'

/** Milliseconds that what waits on this device is given to reach the server first. */
const patience = 5_000

/** Saves everything as a file, with what waits on this device in it where that can be. */
export function useDownload(tell: (outcome: Outcome | undefined) => void) {
  const sync = useSync()
  const [downloading, setDownloading] = useState(false)

  const download = async () => {
    tell(undefined)
    setDownloading(true)
    await sync.leaving.sendQueued(patience)
    const unsent = sync.outbox.waiting
    const done = await downloadFile(sync.account)
    setDownloading(false)
    if ('problem' in done) return tell({ problem: `Nothing was downloaded. ${done.problem}` })
    tell({ told: unsent === 0 ? done.saved : `${done.saved} ${notInIt(unsent)}` })
  }

  return { download, downloading }
}

function notInIt(unsent: number): string {
  return unsent === 1
    ? "1 change made on this device isn't included, because it hasn't been sent yet."
    : `${unsent} changes made on this device aren't included, because they haven't been sent yet.`
}
