/**
 * Rows are about to leave their place: a focus that is in one of them goes on to the row that takes its
 * place, or to the one before, or to the page's heading when none is left. Onto its checkbox, where a key
 * held down does no harm.
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

/** The row is back, and so is the focus, unless the person has gone on to something else. */
export function focusReturns(id: string): void {
  const elsewhere = document.activeElement?.closest('main, [role=dialog]')
  if (!elsewhere) focusRow(document.querySelector(`[data-row="${id}"]`))
}

const anyRow = '[data-row]'

function focusRow(row: Element | null): void {
  const target =
    row?.querySelector<HTMLElement>('input[type=checkbox]') ?? document.querySelector<HTMLElement>('main h1')
  target?.focus({ preventScroll: row === null })
}
