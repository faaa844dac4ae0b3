/**
 * Call before rows leave their place. If one of them has the focus, the focus moves to the row that takes its place, or else to
 * the row before, or else to the page's heading. Within a row, the focus goes to the checkbox, or to the row itself if that is
 * focusable: a key that is still held down does no harm there.
 */
export function moveFocusFromRows(leaving: (id: string) => boolean): void {
  const row = document.activeElement?.closest<HTMLElement>(anyRow)
  if (!row || !isLeaving(row)) return
  focusRow(staying(row, 'nextElementSibling') ?? staying(row, 'previousElementSibling'))

  function isLeaving(row: HTMLElement): boolean {
    return leaving(row.dataset.row ?? '')
  }

  function staying(from: HTMLElement, side: 'nextElementSibling' | 'previousElementSibling') {
    let neighbour = from[side]
    while (neighbour instanceof HTMLElement && isLeaving(neighbour)) neighbour = neighbour[side]
    return neighbour
  }
}

/** Moves the focus to a restored row, unless the person is typing. */
export function returnFocusToRow(id: string): void {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || active.matches('input:not([type=checkbox]), textarea')) return
  // A toast that loses the focus returns it to the element before. Let that happen first.
  if (active.closest('[data-sonner-toaster]')) active.blur()
  focusRow(document.querySelector(`[data-row="${id}"]`))
}

/** Moves the focus from the focused row to the one above or below, or from elsewhere to the first row. Returns that row. */
export function focusNearbyRow(container: Element | null, step: 1 | -1): HTMLElement | undefined {
  const rows = [...(container?.querySelectorAll<HTMLElement>(anyRow) ?? [])]
  const from = document.activeElement?.closest<HTMLElement>(anyRow)
  const row = from && container?.contains(from) ? rows[rows.indexOf(from) + step] : rows[0]
  row?.querySelector<HTMLElement>('input[type=checkbox]')?.focus()
  return row
}

/** Moves the focus from the focused row to the next unticked row below for which `counts` is true. Stays if there is none. */
export function focusNextUnticked(container: Element | null, counts: (id: string) => boolean): void {
  const rows = [...(container?.querySelectorAll<HTMLElement>(anyRow) ?? [])]
  const from = rows.findIndex((row) => row.contains(document.activeElement))
  if (from === -1) return
  const next = rows
    .slice(from + 1)
    .find((row) => counts(row.dataset.row ?? '') && row.querySelector('input[type=checkbox]:not(:checked)'))
  next?.querySelector<HTMLElement>('input[type=checkbox]')?.focus()
}

const anyRow = '[data-row]'

function focusRow(row: Element | null): void {
  const target =
    row?.querySelector<HTMLElement>('input[type=checkbox]') ??
    (row instanceof HTMLElement && row.hasAttribute('tabindex') ? row : undefined) ??
    document.querySelector<HTMLElement>('main h1')
  target?.focus({ preventScroll: row === null })
}
