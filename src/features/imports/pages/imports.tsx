import { useState } from 'react'
import { useImportRun } from '../writing/web/use-import-run.ts'
import { ImportCard } from './import-card.tsx'
import type { DrawExample } from './import-preview.tsx'
import type { ZoneChoice } from './import-questions.tsx'
import { PastImportsCard } from './past-imports-card.tsx'
import { useFilePicker } from './use-file-picker.tsx'

export interface ImportsProps {
  /** Whether the file's preferences are imported by default. */
  takePreferences: boolean
  drawExample: DrawExample
  zoneChoice: ZoneChoice
}

/** The import in progress, and past imports. */
export function Imports(parts: ImportsProps) {
  const { run, state, choose } = useImportRun()
  const { input, open } = useFilePicker(choose)
  const isIdle = state.step === 'none'
  const [hasReturned, setReturned] = useState(!isIdle)
  if (isIdle && hasReturned) setReturned(false)
  return (
    <>
      {input}
      {!isIdle && (
        <ImportCard run={run} state={state} justChosen={!hasReturned} onChooseAnother={open} {...parts} />
      )}
      <PastImportsCard />
    </>
  )
}
