/**
 * Sonner gives the focus back to where it was before a toast had it, also when the person has gone on to something else: from the
 * toast itself, or after it was removed, for which no event tells. A menu would close, and what is typed next would go to a row.
 * Keeps it where the person went. Returns how to stop that.
 */
export function keepFocusThatLeaves(toasts: HTMLElement): () => void {
  let cameFrom: EventTarget | null = null
  const comes = ({ relatedTarget }: FocusEvent) => {
    if (!isWithin(relatedTarget)) cameFrom = relatedTarget
  }
  const leaves = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget === null || isWithin(relatedTarget)) return
    const letFocus = keepFocusFrom(cameFrom)
    cameFrom = null
    // Sonner hears of it at the root of the app, which this event passes before the window.
    window.addEventListener('focusout', letFocus, { once: true })
  }
  const arrives = ({ target }: FocusEvent) => {
    if (isWithin(target)) return
    const former = cameFrom
    cameFrom = null
    if (former === null || former === target) return
    // A toast was removed that had the focus.
    const letFocus = keepFocusFrom(former)
    const list = toasts.querySelector('ol')
    if (!list) return void setTimeout(letFocus, longestRemoval)
    // Others still stand, and it would give the focus back with the last of them: it does so now instead, in vain.
    list.dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: target }))
    letFocus()
  }
  toasts.addEventListener('focusin', comes)
  toasts.addEventListener('focusout', leaves)
  document.addEventListener('focusin', arrives)
  return () => {
    toasts.removeEventListener('focusin', comes)
    toasts.removeEventListener('focusout', leaves)
    document.removeEventListener('focusin', arrives)
  }

  function isWithin(target: EventTarget | null): boolean {
    return target instanceof Node && toasts.contains(target)
  }
}

/** In milliseconds: after the last toast has left the page, Sonner gives the focus back once React has time. */
const longestRemoval = 100

function keepFocusFrom(element: EventTarget | null): () => void {
  if (!(element instanceof HTMLElement)) return () => {}
  element.focus = () => {}
  return () => Reflect.deleteProperty(element, 'focus')
}
