import { rowElement, rowIdsIn } from './row-elements.ts'
import { focusedRow } from './row-focus.ts'

/**
 * Moves the focus from the focused row to the next row below for which `isOpen` is true and which is not ticked. Stays if there is
 * none.
 */
export function focusNextUnticked(container: Element | null, isOpen: (id: string) => boolean): void {
  const from = focusedRow()
  if (!from || !container?.contains(from)) return
  const ids = rowIdsIn(container)
  const ticked = new Set(
    [...container.querySelectorAll<HTMLElement>('[data-row]:has(input[type=checkbox]:checked)')].map(
      ({ dataset }) => dataset.row,
    ),
  )
  const next = ids.slice(ids.indexOf(from.dataset.row ?? '') + 1).find((id) => isOpen(id) && !ticked.has(id))
  rowElement(next, container)?.querySelector<HTMLElement>('input[type=checkbox]')?.focus()
}
