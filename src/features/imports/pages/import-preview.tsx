import { type ReactNode, useId, useState } from 'react'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { integerFormat } from '#platform/format/format-number.ts'
import { counted } from '#platform/format/words.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import type { Example } from '../preview/web/examples.ts'
import { FateLines, type RowsOfFate } from '../preview/web/fate-lines.tsx'
import { countToImport } from '../preview/web/preview-lines.ts'
import type { FileFacts, Preview } from '../writing/web/import-asks.ts'

/**
 * Draws an example from the file as it will look in Daymark. The app passes this component in, because it needs parts of other
 * features.
 */
export type DrawExample = (props: { example: Example }) => ReactNode

interface ImportPreviewProps {
  read: FileFacts
  preview: Preview
  rowsOf: RowsOfFate
  takePreferences: boolean
  drawExample: DrawExample
  onImport(preferencesToo: boolean): void
  onCancel(): void
}

/** The preview: what the import will do, before anything is written. */
export function ImportPreview({
  read: { own },
  preview: { lines, notes, examples },
  rowsOf,
  takePreferences,
  drawExample: DrawExample,
  onImport,
  onCancel,
}: ImportPreviewProps) {
  const [preferencesToo, setPreferencesToo] = useState(takePreferences)
  const count = countToImport(lines)
  const writes = count > 0 || (own !== undefined && preferencesToo)
  return (
    <>
      {own && <Origin {...own} />}
      <FateLines lines={lines} told="before" rowsOf={rowsOf} />
      {notes.length > 0 && (
        <ul aria-label="Notes" className="grid gap-1 pt-1 pb-3 text-ink-2 text-small [list-style-type:'']">
          {notes.map((note) => (
            <li key={note} className="wrap-anywhere">
              {note}
            </li>
          ))}
        </ul>
      )}
      {examples.length > 0 && (
        <section aria-labelledby="import-examples" className="mt-1 rounded-control bg-sunken px-4 py-3">
          <h3 id="import-examples" className="text-ink-3 text-small">
            {titleOfExamples(examples.length, count)}
          </h3>
          <ul className="mt-1 [list-style-type:'']">
            {examples.map((example) => (
              <DrawExample key={example.id} example={example} />
            ))}
          </ul>
        </section>
      )}
      {own && <PreferencesToo chosen={preferencesToo} onChoose={setPreferencesToo} />}
      <div className="mt-3 flex flex-wrap items-center justify-end gap-x-4 gap-y-3">
        <p className="min-w-0 flex-1 basis-64 text-ink-3 text-small">
          {writes
            ? 'Nothing has been written yet. An import can be undone for 30 days.'
            : 'There is nothing to import in this file.'}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={onCancel}>
            {writes ? 'Cancel' : 'Close'}
          </Button>
          {writes && (
            <Button onClick={() => onImport(own !== undefined && preferencesToo)}>{buttonOf(count)}</Button>
          )}
        </div>
      </div>
    </>
  )
}

/** Whose account the Daymark file is from. */
function Origin({ account, exported_at }: NonNullable<FileFacts['own']>) {
  const { timeZone } = useUserCalendar()
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(
    Date.parse(exported_at),
  )
  return (
    <p className="mt-2 text-control text-ink-2 wrap-anywhere">
      From {account.name}'s account ({account.email}), exported on {day}. Your existing data won't change.
      Items you deleted come back if they're in the file.
    </p>
  )
}

function PreferencesToo({ chosen, onChoose }: { chosen: boolean; onChoose(chosen: boolean): void }) {
  const box = useId()
  return (
    <div className="mt-4 flex items-start gap-3 text-control">
      <Checkbox
        id={box}
        aria-describedby={`${box}-hint`}
        checked={chosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <div className="min-w-0">
        <label htmlFor={box} className="cursor-pointer">
          Also import preferences
        </label>
        <p id={`${box}-hint`} className="text-ink-3 text-small">
          Time zone, day start, week start and theme
        </p>
      </div>
    </div>
  )
}

function buttonOf(count: number): string {
  if (count === 0) return 'Import preferences'
  return `Import ${counted(count, 'item')}`
}

const numbers = ['', 'One', 'Two', 'Three']

/** The heading of the examples: 'Three of the 292, as they will look'. */
function titleOfExamples(shown: number, count: number): string {
  if (count === 1) return 'As it will look'
  return `${numbers[shown]} of the ${integerFormat.format(count)}, as ${shown === 1 ? 'it' : 'they'} will look`
}
