import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isPressed, useShortcut } from '#platform/browser/shortcuts.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { wantedOf } from '#platform/search/match.ts'
import type { RowSearch } from '#platform/search/row-search.ts'
import { Button } from '../controls/button.tsx'
import { leaveSearch, searchScreen } from './search-shortcuts.ts'

interface ScreenSearchFieldProps<Row extends object> {
  count: number
  show(matches: ((row: Row) => boolean) | undefined): void
  onClose(): void
  label: string
  /** What a row is called. */
  what: string
  search: RowSearch<Row>
}

/** A quiet line above the rows. Escape clears it and gives the focus back. */
export function ScreenSearchField<Row extends object>({
  label,
  what,
  search,
  count,
  show,
  onClose,
}: ScreenSearchFieldProps<Row>) {
  const [typed, setTyped] = useState('')
  const wanted = wantedOf(typed)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useShortcut(searchScreen, () => field.current?.focus())
  return (
    <>
      <search className="mt-4 flex min-h-10 items-center gap-3 border-line border-b text-ink-2 has-[input:focus]:border-accent has-[input:focus]:shadow-[0_1px_0_var(--accent)] pointer-coarse:min-h-11">
        <Search size={18} className="ml-0.5 shrink-0" />
        <input
          ref={field}
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={longest}
          dir="auto"
          value={typed}
          onChange={(event) => {
            const text = event.currentTarget.value
            setTyped(text)
            const sought = wantedOf(text)
            show(sought && ((row) => search.matches(row, sought)))
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || !isPressed(leaveSearch, event)) return
            event.preventDefault()
            onClose()
          }}
          className="h-10 min-w-0 flex-1 bg-transparent text-body text-ink outline-none placeholder:text-ink-3 pointer-coarse:h-11"
        />
        <span role="status" className="shrink-0 text-small tabular-nums">
          {wanted && `${integerFormat.format(count)} ${what}${count === 1 ? '' : 's'}`}
        </span>
        <Button variant="icon" aria-label="Clear the search" onClick={onClose} className="-mr-2">
          <X />
        </Button>
      </search>
      {wanted && count === 0 && <p className="mt-6 text-ink-3">No {what} here matches.</p>}
    </>
  )
}

const longest = 200
