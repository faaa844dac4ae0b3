import { Search, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { isPressed, type Shortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { focusNearbyRow } from '#platform/browser/rows/row-focus.ts'
import { counted } from '#platform/format/words.ts'
import { wantedOf } from '#platform/search/match.ts'
import type { RowSearch } from '#platform/search/row-search.ts'
import { Button } from '../controls/button.tsx'
import { Keys } from '../controls/key.tsx'
import { AskedSearch } from './asked-search.ts'
import type { ScreenSearchProps } from './screen-search-props.ts'
import { nearbyResult, openResult, tickResult } from './search-dialog-shortcuts.ts'
import { searchInUse } from './search-in-use.ts'
import { leaveSearch } from './search-shortcuts.ts'
import { usePreparedSearch } from './use-prepared-search.ts'

interface ScreenSearchFieldProps<Row extends object> extends ScreenSearchProps<Row> {
  field: RefObject<HTMLInputElement | null>
  onClose(): void
  label: string
  /** The singular noun for a row, such as 'habit'. */
  what: string
  search: RowSearch<Row>
}

/** A search field above the rows. Escape clears it and returns the focus. */
export function ScreenSearchField<Row extends object>({
  label,
  what,
  search,
  count,
  rows = none,
  field,
  show,
  onClose,
}: ScreenSearchFieldProps<Row>) {
  const [typed, setTyped] = useState('')
  const wanted = wantedOf(typed)
  const asked = useRef<AskedSearch<Row>>(undefined)
  useEffect(() => field.current?.focus(), [field])
  usePreparedSearch(search, rows)
  useEffect(() => {
    return () => {
      searchInUse.on = false
    }
  }, [])
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
            searchInUse.on = sought !== undefined
            if (sought && asked.current?.goesOnWith(sought)) return
            asked.current = sought && new AskedSearch(search, sought)
            searchInUse.asked++
            show(asked.current)
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (isPressed(leaveSearch, event)) {
              event.preventDefault()
              onClose()
              return
            }
            const action = wanted && withFirst.find(({ shortcut }) => isPressed(shortcut, event))
            if (!action) return
            event.preventDefault()
            action.act(event.currentTarget)
          }}
          className="h-10 min-w-0 flex-1 bg-transparent text-body text-ink outline-none placeholder:text-ink-3 pointer-coarse:h-11"
        />
        {wanted && count > 0 && (
          <span aria-hidden="true" className="max-md:hidden pointer-coarse:hidden">
            <Keys of={openResult} />
          </span>
        )}
        <span role="status" className="shrink-0 text-small tabular-nums">
          {wanted && counted(count, what)}
        </span>
        <Button variant="icon" aria-label="Clear the search" onClick={onClose} className="-mr-2">
          <X />
        </Button>
      </search>
      {wanted && count === 0 && <p className="mt-6 text-ink-3">Nothing here matches.</p>}
    </>
  )
}

const longest = 200

const none: never[] = []

/** Keys that act on the first result while the focus stays in the field. */
const withFirst: readonly { shortcut: Shortcut; act(field: Element): void }[] = [
  { shortcut: nearbyResult, act: (field) => void focusNearbyRow(field.closest('main'), 1) },
  { shortcut: tickResult, act: (field) => firstOf(field, '[data-row] input[type=checkbox]')?.click() },
  {
    shortcut: openResult,
    act(field) {
      const title = firstOf(field, '[data-row] [data-title], [data-coming]')
      title?.focus()
      // Pressing the title of a row that is already unfolded would close the row.
      if (title?.closest('[data-open]') === null) title.click()
    },
  },
]

/** The first match on the screen, except in the open details of a row. */
function firstOf(field: Element, what: string): HTMLElement | undefined {
  const all = field.closest('main')?.querySelectorAll<HTMLElement>(what) ?? []
  return [...all].find((each) => each.closest('[role=dialog]') === null)
}
