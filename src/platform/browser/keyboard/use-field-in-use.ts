import { type RefObject, useEffect, useState } from 'react'

/** Whether a text field inside `container` has the focus; without a container, one inside the page's `main`. */
export function useFieldInUse(container?: RefObject<HTMLElement | null>): boolean {
  const [inUse, setInUse] = useState(false)
  useEffect(() => {
    const isOurs = (target: EventTarget | null) => {
      const within = container ? container.current : document.querySelector('main')
      if (!(target instanceof Element) || !within?.contains(target)) return false
      return target.matches('textarea, input:not([type]), input[type=text]')
    }
    const comes = ({ target }: FocusEvent) => setInUse(isOurs(target))
    const goes = ({ target, relatedTarget }: FocusEvent) => {
      // If only the window lost the focus, the field is still the active element and will get the focus back.
      if (document.activeElement !== target) setInUse(isOurs(relatedTarget))
    }
    setInUse(isOurs(document.activeElement))
    document.addEventListener('focusin', comes)
    document.addEventListener('focusout', goes)
    return () => {
      document.removeEventListener('focusin', comes)
      document.removeEventListener('focusout', goes)
    }
  }, [container])
  return inUse
}
