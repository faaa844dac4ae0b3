import { useEffect, useRef, useState } from 'react'
import { useSync } from '#platform/sync/sync-context.ts'
import { toast } from '#platform/ui/toast.ts'
import type { ExportedAccount } from '../exported-account.ts'
import { cutIntoPieces } from '../pieces.ts'
import { amountsOf, importInWords, inWords } from './in-words.ts'
import type { Outcome } from './outcome.ts'
import { type Sent, sendPieces } from './send-pieces.ts'

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
      sent.problem === undefined
        ? {
            told: [
              importInWords(amountsOf(exported), sent),
              ...preferencesInWords(sent, preferencesToo),
            ].join(' '),
          }
        : { problem: `The import stopped. ${sent.problem} ${whatStays(sent)}` }
    if (!left.current) return tell(outcome)
    if ('told' in outcome) toast.success('Import finished', { description: outcome.told })
    else toast.error('Import stopped', { description: outcome.problem })
  }

  return { importAccount, progress }
}

function preferencesInWords({ preferencesProblem }: Sent, preferencesToo: boolean): string[] {
  if (preferencesProblem !== undefined) return [`The preferences weren't imported: ${preferencesProblem}`]
  return preferencesToo ? ['Your preferences were imported too.'] : []
}

function whatStays({ came, sentAgain }: Sent): string {
  const words = inWords(came)
  if (words !== undefined) return `Imported so far: ${words}. Import the same file again to continue.`
  if (sentAgain) return 'Part of the file may have been imported. Import the same file again to continue.'
  return 'Nothing was imported.'
}
