/**
 * Sonner gives the focus back to where it was before a toast had it, also when the person goes on to something else: a menu would
 * close, and what is typed next would go to a row. Keeps it where the person went. Returns how to stop that.
 */
export function keepFocusThatLeaves(toasts: HTMLElement): () => void {
  let cameFrom: EventTarget | null = null
  const comes = ({ relatedTarget }: FocusEvent) => {
    if (!isWithin(relatedTarget)) cameFrom = relatedTarget
  }
  const leaves = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget === null || isWithin(relatedTarget) || !(cameFrom instanceof HTMLElement)) return
    const former = cameFrom
    former.focus = () => {}
    // Sonner hears of it at the root of the app, which this event passes before the window.
    window.addEventListener('focusout', () => Reflect.deleteProperty(former, 'focus'), { once: true })
  }
  toasts.addEventListener('focusin', comes)
  toasts.addEventListener('focusout', leaves)
  return () => {
    toasts.removeEventListener('focusin', comes)
    toasts.removeEventListener('focusout', leaves)
  }

  function isWithin(target: EventTarget | null): boolean {
    return target instanceof Node && toasts.contains(target)
  }
}
