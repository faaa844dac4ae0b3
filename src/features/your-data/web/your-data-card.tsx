import { CircleAlert } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { Button } from '#platform/ui/controls/button.tsx'
import { Card } from '#platform/ui/layout/card.tsx'
import type { ExportedAccount } from '../exported-account.ts'
import { readExport } from '../read-export.ts'
import { DataRow } from './data-row.tsx'
import { ImportDialog } from './import-dialog.tsx'
import type { Outcome } from './outcome.ts'
import { useDownload } from './use-download.ts'
import { useImport } from './use-import.ts'

/** More than a lifetime of to-dos, and small enough to be read in one go. */
const largestFile = 100_000_000

interface YourDataCardProps {
  /** Whether a file's preferences are imported unless the person says otherwise. */
  takePreferences: boolean
}

/** Exports everything of the account as one file, and imports it again. */
export function YourDataCard({ takePreferences }: YourDataCardProps) {
  const [outcome, setOutcome] = useState<Outcome>()
  const [chosen, setChosen] = useState<ExportedAccount>()
  const [asking, setAsking] = useState(false)
  const [reading, setReading] = useState(false)
  const { download, downloading } = useDownload(setOutcome)
  const { importAccount, progress } = useImport(setOutcome)
  const fileInput = useRef<HTMLInputElement>(null)
  const importButton = useRef<HTMLButtonElement>(null)

  const choose = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0]
    if (!file) return
    setOutcome(undefined)
    setReading(true)
    const read = await readFile(file)
    // So that the same file can be chosen again.
    input.value = ''
    setReading(false)
    if ('problem' in read) return setOutcome(read)
    setChosen(read.exported)
    setAsking(true)
  }

  return (
    <Card title="Your data" subtitle="Everything you keep here: download it, or bring it back">
      <div className="mt-3 -mb-3">
        <DataRow
          label="Download everything"
          hint="Tasks, habits, focus sessions and preferences in one file"
          action={
            <Button variant="secondary" busy={downloading} onClick={download}>
              {downloading ? 'Downloading...' : 'Download'}
            </Button>
          }
        />
        <DataRow
          label="Import a file"
          hint="From this server or another one. Nothing is added twice"
          action={
            <Button
              ref={importButton}
              variant="secondary"
              busy={reading || progress !== undefined}
              onClick={() => fileInput.current?.click()}
            >
              {progress ? 'Importing...' : reading ? 'Reading...' : 'Import'}
            </Button>
          }
        />
      </div>
      <input ref={fileInput} type="file" accept="application/json,.json" hidden onChange={choose} />
      {progress && <ProgressBar {...progress} />}
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
      <ImportDialog
        open={asking}
        exported={chosen}
        takePreferences={takePreferences}
        onClose={() => setAsking(false)}
        onClosed={() => importButton.current?.focus()}
        onImport={(preferencesToo) => {
          setAsking(false)
          if (chosen) void importAccount(chosen, preferencesToo)
        }}
      />
    </Card>
  )
}

function ProgressBar({ sent, of }: { sent: number; of: number }) {
  return (
    <div
      role="progressbar"
      aria-label="Importing"
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={sent}
      className="mt-4 h-1 overflow-hidden rounded-cell bg-heat-0 forced-colors:border"
    >
      <div
        className="h-full bg-accent forced-colors:bg-[Highlight]"
        style={{ width: `${(100 * sent) / of}%` }}
      />
    </div>
  )
}

async function readFile(file: File): Promise<ReturnType<typeof readExport>> {
  if (file.size > largestFile) return { problem: 'This file is too large to be from Daymark.' }
  try {
    return readExport(await file.text())
  } catch (surprise) {
    console.warn('The file could not be read', surprise)
    return { problem: "This file couldn't be read." }
  }
}
