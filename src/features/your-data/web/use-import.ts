import { useEffect, useRef, useState } from 'react'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { toast } from '#platform/ui/overlays/toast.ts'
import type { ExportedAccount } from '../exported-account.ts'
import { splitIntoPieces } from '../pieces.ts'
import { amountsOf, formatCounts, formatImport } from './format-counts.ts'
import type { Outcome } from './outcome.ts'
import { type Sent, sendPieces } from './send-pieces.ts'

/** Sends an account to the server. It goes on while the person is on another page, where a toast reports the result. */
export function useImport(report: (outcome: Outcome | undefined) => void) {
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
    report(undefined)
    const pieces = splitIntoPieces(exported, preferencesToo)
    setProgress({ sent: 0, of: pieces.length })
    const sent = await sendPieces(sync.account, pieces, (count) =>
      setProgress({ sent: count, of: pieces.length }),
    )
    await sync.reread()
    setProgress(undefined)
    const outcome: Outcome =
      sent.problem === undefined
        ? {
            message: [
              formatImport(amountsOf(exported), sent),
              ...formatPreferences(sent, preferencesToo),
            ].join(' '),
          }
        : { problem: `The import stopped. ${sent.problem} ${whatStays(sent)}` }
    if (!left.current) return report(outcome)
    if ('message' in outcome) toast.success('Import finished', { description: outcome.message })
    else toast.error('Import stopped', { description: outcome.problem })
  }

  return { importAccount, progress }
}

function formatPreferences({ preferencesProblem }: Sent, preferencesToo: boolean): string[] {
  if (preferencesProblem !== undefined) return [`The preferences weren't imported: ${preferencesProblem}`]
  return preferencesToo ? ['Your preferences were imported too.'] : []
}

function whatStays({ added, sentAgain }: Sent): string {
  const text = formatCounts(added)
  if (text !== undefined) return `Imported so far: ${text}. Import the same file again to continue.`
  if (sentAgain) return 'Part of the file may have been imported. Import the same file again to continue.'
  return 'Nothing was imported.'
}
