import { rowElement, rowIdsIn } from './row-elements.ts'

/**
 * Call before rows leave their place. If one of them has the focus, the focus moves to the row that takes its place, or else to
 * the row before, or else to the page's heading. Within a row, the focus goes to the checkbox, or to the row itself if that is
 * focusable: a key that is still held down does no harm there.
 */
export function moveFocusFromRows(leaving: (id: string) => boolean): void {
  const row = focusedRow()
  if (!row || !leaving(row.dataset.row ?? '')) return
  const ids = rowIdsIn(row.closest('ul, ol'))
  const place = ids.indexOf(row.dataset.row ?? '')
  const stays = (id: string) => !leaving(id)
  const next = ids.slice(place + 1).find(stays) ?? ids.slice(0, Math.max(place, 0)).findLast(stays)
  focusRow(rowElement(next))
}

/** Moves the focus to a restored row, unless the person is typing. */
export function returnFocusToRow(id: string): void {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || active.matches('input:not([type=checkbox]), textarea')) return
  // A toast that loses the focus returns it to the element before. Let that happen first.
  if (active.closest('[data-sonner-toaster]')) active.blur()
  focusRow(rowElement(id))
}

/** Moves the focus from the focused row to the one above or below, or from elsewhere to the first row. Returns that row. */
export function focusNearbyRow(container: Element | null, step: 1 | -1): HTMLElement | undefined {
  const ids = rowIdsIn(container)
  const from = focusedRow()
  const isHere = from && container?.contains(from)
  const row = rowElement(isHere ? ids[ids.indexOf(from.dataset.row ?? '') + step] : ids[0], container)
  row?.querySelector<HTMLElement>('input[type=checkbox]')?.focus()
  return row
}

/** The row that holds the focus. */
export function focusedRow(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-row]') ?? undefined
}

function focusRow(row: HTMLElement | undefined): void {
  const target =
    row?.querySelector<HTMLElement>('input[type=checkbox]') ??
    (row?.hasAttribute('tabindex') ? row : undefined) ??
    document.querySelector<HTMLElement>('main h1')
  target?.focus({ preventScroll: row === undefined })
}
