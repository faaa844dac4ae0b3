import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReadRow } from '#features/imports/reading/reading.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import type { Fate } from '../fates.ts'
import { fateNames } from './format-fates.ts'
import { kindOf, type PreviewLine, rowsAtOnce } from './preview-lines.ts'

/** Fetches the next rows with a fate, from this place on. */
export type RowsOfFate = (fate: Fate, from: number) => Promise<readonly ReadRow[]>

interface FateLinesProps {
  lines: readonly PreviewLine[]
  /** Whether the lines describe rows before or after they are written. */
  told: 'before' | 'after'
  rowsOf: RowsOfFate
}

/** The fates of the rows, as four lines. Each line can be opened to list its rows. */
export function FateLines({ lines, told, rowsOf }: FateLinesProps) {
  return (
    <ul className="mt-[10px] [list-style-type:'']">
      {lines.map((line) => (
        <FateLine key={line.fate} line={line} name={fateNames[told][line.fate]} rowsOf={rowsOf} />
      ))}
    </ul>
  )
}

const lineClass = cn(
  'grid min-h-11 w-full grid-cols-[3.5rem_minmax(0,1fr)_16px] items-center gap-x-4 py-2 text-left text-control',
  '@[36rem]:grid-cols-[3.5rem_7.5rem_minmax(0,1fr)_16px]',
)

interface FateLineProps {
  line: PreviewLine
  name: string
  rowsOf: RowsOfFate
}

function FateLine({ line, name, rowsOf }: FateLineProps) {
  const { count, summary } = line
  const [open, setOpen] = useState(false)
  const id = useId()
  const facts = (
    <>
      <span className="text-right font-semibold text-body tabular-nums max-[24em]:self-start">
        {integerFormat.format(count)}
      </span>
      <span className="font-medium">{name}</span>
      <span className="text-ink-2 wrap-anywhere col-start-2 @[36rem]:col-start-3">{summary}</span>
    </>
  )
  return (
    <li className="shadow-[inset_0_1px_0_var(--line)]">
      {count === 0 ? (
        <div className={lineClass}>{facts}</div>
      ) : (
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
          className={cn(lineClass, 'rounded-control transition-colors hover:bg-hover')}
        >
          {facts}
          <ChevronRight
            size={16}
            className={cn(
              'col-start-3 row-start-1 text-ink-3 transition-transform @[36rem]:col-start-4',
              open && 'rotate-90',
            )}
          />
        </button>
      )}
      {open && <FateRows id={id} line={line} name={name} rowsOf={rowsOf} />}
    </li>
  )
}

function FateRows({ id, line, name, rowsOf }: FateLineProps & { id: string }) {
  const [rows, setRows] = useState(line.rows)
  const [isFetching, setFetching] = useState(false)
  const left = line.count - rows.length
  const showMore = async () => {
    setFetching(true)
    const more = await rowsOf(line.fate, rows.length)
    setRows([...rows, ...more])
    setFetching(false)
  }
  return (
    <div id={id} className="pb-3">
      <ul aria-label={name} className="[list-style-type:'']">
        {rows.map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows stay where they are, and two may have the same line
          <FateRow key={place} row={row} />
        ))}
      </ul>
      {left > 0 && (
        <Button variant="quiet" busy={isFetching} className="mt-1 ml-14" onClick={() => void showMore()}>
          Show {integerFormat.format(Math.min(left, rowsAtOnce))} more of {integerFormat.format(left)}
        </Button>
      )}
    </div>
  )
}

function FateRow({ row }: { row: ReadRow }) {
  const reasons = row.refused === undefined ? row.changed : [row.refused]
  return (
    <li className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-4 py-1 text-small @[36rem]:grid-cols-[3.5rem_7.5rem_minmax(0,1fr)]">
      <span className="text-right text-ink-3 tabular-nums">Line {integerFormat.format(row.line)}</span>
      <span className="text-ink-3 max-[36em]:sr-only">{kindOf(row)}</span>
      <span className="min-w-0 text-ink">
        <bdi className="line-clamp-2 wrap-anywhere">{row.title}</bdi>
        {reasons.map((reason) => (
          <span key={reason} className="block text-ink-2 wrap-anywhere">
            {reason}
          </span>
        ))}
      </span>
    </li>
  )
}
