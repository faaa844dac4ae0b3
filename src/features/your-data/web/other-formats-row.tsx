import { ChevronDown } from 'lucide-react'
import { Button } from '#platform/ui/controls/button.tsx'
import { DataRow } from '#platform/ui/layout/data-row.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import { type OtherFormat, otherFormats } from '../other-formats.ts'

const labels: Record<OtherFormat, string> = {
  'tasks-csv': 'Tasks (CSV)',
  'completions-csv': 'Habit completions (CSV)',
  'sessions-csv': 'Focus sessions (CSV)',
  'tasks-ics': 'Tasks (ICS)',
}

interface OtherFormatsRowProps {
  /** The download in progress; undefined if there is none. */
  downloading: 'everything' | OtherFormat | undefined
  onChoose(format: OtherFormat): void
}

/** Exports for use elsewhere: tables for spreadsheets, and a calendar that other task apps read. */
export function OtherFormatsRow({ downloading, onChoose }: OtherFormatsRowProps) {
  const busy = downloading !== undefined && downloading !== 'everything'
  return (
    <DataRow
      label="Export for other apps"
      hint="Tables (CSV) for spreadsheets, or a calendar (ICS) for task apps"
      action={
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="secondary" busy={busy}>
              {busy ? 'Exporting...' : 'Export'}
              <ChevronDown size={14} />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="end">
            {otherFormats.map((format) => (
              <DropdownMenuItem key={format} onSelect={() => onChoose(format)}>
                {labels[format]}
              </DropdownMenuItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      }
    />
  )
}
