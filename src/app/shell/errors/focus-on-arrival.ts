/** Announces a new page and lets Tab continue from its top: without this, focus stays on a link that is gone. */
export function focusOnArrival(): void {
  // What led here has already said where on the page it leads.
  if (document.activeElement?.matches('main input, main textarea, main [data-row] *')) return
  const arrival = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
  if (arrival === null) return
  arrival.tabIndex = -1
  arrival.focus({ preventScroll: true })
}
