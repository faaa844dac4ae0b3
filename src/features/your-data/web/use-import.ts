import { useEffect, useRef, useState } from 'react'
import { useSync } from '#platform/sync/sync-context.ts'
import { toast } from '#platform/ui/toast.ts'
import type { ExportedAccount } from '../exported-account.ts'
import { cutIntoPieces } from '../pieces.ts'
import { amountsOf, importInWords, inWords } from './in-words.ts'
import type { Outcome } from './outcome.ts'
import { sendPieces } from './send-pieces.ts'

/** Sends an account to the server. It goes on while the person looks at another page, and is told there by a toast. */
export function useImport(tell: (outcome: Outcome | undefined) => void) {
  const sync = useSync()
  const [progress, setProgress] = useState<{ sent: number; of: number }>()
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])

  const importAccount = async (exported: ExportedAccount, preferencesToo: boolean) => {
    tell(undefined)
    const pieces = cutIntoPieces(exported, preferencesToo)
    setProgress({ sent: 0, of: pieces.length })
    const sent = await sendPieces(sync.account, pieces, (count) =>
      setProgress({ sent: count, of: pieces.length }),
    )
    await sync.reread()
    setProgress(undefined)
    const outcome: Outcome =
      'problem' in sent
        ? { problem: `The import stopped. ${sent.problem} ${whatStays(inWords(sent.came))}` }
        : { told: importInWords(amountsOf(exported), sent.came, preferencesToo) }
    if (!left.current) return tell(outcome)
    if ('told' in outcome) toast.success('Import finished', { description: outcome.told })
    else toast.error('Import stopped', { description: outcome.problem })
  }

  return { importAccount, progress }
}

function whatStays(came: string | undefined): string {
  if (came === undefined) return 'Nothing of the file has come in.'
  return `What has come in stays: ${came}. Import the same file again to go on.`
}
