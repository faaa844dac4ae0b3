/**
 * Call before rows leave their place. If one of them has the focus, it moves to the row that takes its place, or to the
 * row before, or to the page's heading if none is left. It moves to the row's checkbox or, without one, to the row itself
 * if that is focusable: there a key held down does no harm.
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

/** Moves the focus to a row that is back, unless the person is typing. */
export function returnFocusToRow(id: string): void {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || active.matches('input:not([type=checkbox]), textarea')) return
  // A toast that loses the focus returns it to where it was before. Let it do that first.
  if (active.closest('[data-sonner-toaster]')) active.blur()
  focusRow(document.querySelector(`[data-row="${id}"]`))
}

/** Moves the focus from the row that has it to the one above or below it, or from elsewhere to the first. Returns that row. */
export function focusNearbyRow(container: Element | null, step: 1 | -1): HTMLElement | undefined {
  const rows = [...(container?.querySelectorAll<HTMLElement>(anyRow) ?? [])]
  const from = document.activeElement?.closest<HTMLElement>(anyRow)
  const row = from && container?.contains(from) ? rows[rows.indexOf(from) + step] : rows[0]
  row?.querySelector<HTMLElement>('input[type=checkbox]')?.focus()
  return row
}

/** Moves the focus from the row that has it to the next below that is not ticked, of those that count; if there is none, it stays. */
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
