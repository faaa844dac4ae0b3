import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isApple, isPressed, overPage, useShortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { rowElement, rowIdAround } from '#platform/browser/rows/row-elements.ts'
import type { RowSearch } from '#platform/search/row-search.ts'
import { ScreenSearchField } from './screen-search-field.tsx'
import type { ScreenSearchProps } from './screen-search-props.ts'
import { findInList, searchScreen } from './search-shortcuts.ts'

interface ScreenSearchParts<Row extends object> extends ScreenSearchProps<Row> {
  label: string
  /** The singular noun for a row, such as 'habit'. */
  what: string
  search: RowSearch<Row>
}

/** Searches the rows of a screen in place, once somebody presses the shortcut. */
export function ScreenSearch<Row extends object>({
  show,
  takesFind = false,
  ...rest
}: ScreenSearchParts<Row>): ReactNode {
  const [before, setBefore] = useState<Before>()
  const field = useRef<HTMLInputElement>(null)
  const begin = () => {
    if (before) field.current?.focus()
    else setBefore(focusedNow())
  }
  useShortcut(searchScreen, begin)
  const find = useEffectEvent((event: KeyboardEvent) => {
    const { activeElement } = document
    if (!isPressed(findInList, event) || event.defaultPrevented || activeElement === field.current) return
    // On a Mac, Control+F moves the caret. What lies over the page is found by the browser.
    if ((isApple && !event.metaKey) || activeElement?.closest(overPage)) return
    event.preventDefault()
    begin()
  })
  useEffect(() => {
    if (!takesFind) return
    const press = (event: KeyboardEvent) => find(event)
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [takesFind])
  const close = () => {
    // First show all rows: the row that had the focus may not have matched.
    flushSync(() => {
      show(undefined)
      setBefore(undefined)
    })
    const target = stillThere(before) ?? rowOf(before) ?? document.querySelector('main h1')
    if (target instanceof HTMLElement) target.focus()
  }
  return before !== undefined && <ScreenSearchField field={field} show={show} onClose={close} {...rest} />
}

/** What had the focus before the search, and in which row. */
interface Before {
  element: Element | undefined
  row: string | undefined
}

function focusedNow(): Before {
  const { activeElement, body } = document
  const element = activeElement && activeElement !== body ? activeElement : undefined
  return { element, row: rowIdAround(element) }
}

/** While a search brings other rows, one of them may take over the element of the row. */
function stillThere(before: Before | undefined): Element | undefined {
  return before?.element?.isConnected && rowIdAround(before.element) === before.row
    ? before.element
    : undefined
}

function rowOf(before: Before | undefined): Element | null {
  return rowElement(before?.row)?.querySelector('input[type=checkbox]') ?? null
}
