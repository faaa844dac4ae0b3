/**
 * Stops Sonner from taking the focus away from where the person went. Sonner returns the focus to the element that had it before
 * a toast, even when the person has moved on. It does so when the person leaves the toast, and after the toast was removed, which
 * fires no event. That would close an open menu, or send the next keys to a row. Returns a function that stops the guard.
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
    // Sonner handles the event at the root of the app, which the event reaches before the window.
    window.addEventListener('focusout', letFocus, { once: true })
  }
  const arrives = ({ target }: FocusEvent) => {
    if (isWithin(target)) return
    const former = cameFrom
    cameFrom = null
    if (former === null || former === target) return
    // The toast that had the focus was removed.
    const letFocus = keepFocusFrom(former)
    const list = toasts.querySelector('ol')
    if (!list) return void setTimeout(letFocus, longestRemoval)
    // Other toasts are still shown, and Sonner would return the focus when the last of them closes. This event makes Sonner
    // return it now, while that has no effect.
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

/** Milliseconds in which Sonner returns the focus after the last toast was removed, once React has time. */
const longestRemoval = 100

function keepFocusFrom(element: EventTarget | null): () => void {
  if (!(element instanceof HTMLElement)) return () => {}
  element.focus = () => {}
  return () => Reflect.deleteProperty(element, 'focus')
}
