import { Download } from 'lucide-react'
import { useCallback } from 'react'
import type { Command } from '#platform/ui/command.ts'
import { toast } from '#platform/ui/toasts/toast.ts'
import type { Outcome } from './outcome.ts'
import { useDownload } from './use-download.ts'

/** The command that downloads the whole account and shows the outcome. */
export function useExportCommand(): Command {
  const report = useCallback((outcome: Outcome | undefined) => {
    if (!outcome) return
    if ('problem' in outcome) toast.error('Failed to export your data', { description: outcome.problem })
    else toast('Your data is exported', { description: outcome.message })
  }, [])
  const { download } = useDownload(report)
  return {
    id: 'export',
    label: 'Export your data',
    also: 'download backup',
    icon: Download,
    run: () => void download(),
  }
}
