/**
 * Moves the focus to a new page, so that it is announced and Tab continues from its top. Otherwise the focus would stay on a
 * link that is gone.
 */
export function focusOnArrival(): void {
  // The code that navigated here has already put the focus on a field or row, so keep it there.
  if (document.activeElement?.matches('main input, main textarea, main [data-row] *')) return
  const arrival = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
  if (arrival === null) return
  arrival.tabIndex = -1
  arrival.focus({ preventScroll: true })
}
