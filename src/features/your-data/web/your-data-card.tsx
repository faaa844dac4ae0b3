import { CircleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#platform/ui/controls/button.tsx'
import { Card } from '#platform/ui/layout/card.tsx'
import { DataRow } from '#platform/ui/layout/data-row.tsx'
import { OtherFormatsRow } from './other-formats-row.tsx'
import type { Outcome } from './outcome.ts'
import { useDownload } from './use-download.ts'

interface YourDataCardProps {
  /** The row with which an import begins. */
  children: ReactNode
}

/** The card with everything that exports data to files, and the row that imports them. */
export function YourDataCard({ children }: YourDataCardProps) {
  const [outcome, setOutcome] = useState<Outcome>()
  const { download, downloading } = useDownload(setOutcome)
  return (
    <Card title="Your data" subtitle="Everything you keep here: download it, or bring it back">
      <div className="mt-3 -mb-3">
        <DataRow
          label="Download everything"
          hint="Tasks, habits, focus sessions and preferences in one file"
          action={
            <Button variant="secondary" busy={downloading === 'everything'} onClick={() => void download()}>
              {downloading === 'everything' ? 'Downloading...' : 'Download'}
            </Button>
          }
        />
        <OtherFormatsRow downloading={downloading} onChoose={(format) => void download(format)} />
        {children}
      </div>
      <p role="status" className="text-pretty text-control text-ink-2 wrap-anywhere not-empty:mt-4">
        {outcome && 'message' in outcome && outcome.message}
      </p>
      <p role="alert" className="flex gap-1.5 text-control text-danger not-empty:mt-4">
        {outcome && 'problem' in outcome && (
          <>
            <CircleAlert size={14} className="mt-[3px] shrink-0" />
            <span className="min-w-0 wrap-anywhere">{outcome.problem}</span>
          </>
        )}
      </p>
    </Card>
  )
}
