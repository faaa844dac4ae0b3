/**
 * Rows are about to leave their place: a focus that is in one of them goes on to the row that takes its
 * place, or to the one before, or to the page's heading when none is left. Onto its checkbox or, where it has none,
 * onto a row that can have it: there a key held down does no harm.
 */
export function focusLeaves(leaving: (id: string) => boolean): void {
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

/** The row is back, and the focus goes to it, unless the person is writing something. */
export function focusReturns(id: string): void {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || active.matches('input:not([type=checkbox]), textarea')) return
  // A toast that loses the focus puts it back to where it was before: let it, then go on.
  if (active.closest('[data-sonner-toaster]')) active.blur()
  focusRow(document.querySelector(`[data-row="${id}"]`))
}

const anyRow = '[data-row]'

function focusRow(row: Element | null): void {
  const target =
    row?.querySelector<HTMLElement>('input[type=checkbox]') ??
    (row instanceof HTMLElement && row.hasAttribute('tabindex') ? row : undefined) ??
    document.querySelector<HTMLElement>('main h1')
  target?.focus({ preventScroll: row === null })
}
