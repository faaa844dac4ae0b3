import { type RefObject, useEffect } from 'react'

/** Pixels between the toasts and a dialog that makes room for them. */
const gap = 8
/** Pixels of a toast that show above the one in front of it. */
const peek = 14

/**
 * Sets `--toasts` of an open dialog to the height that toasts take at the bottom of the window, so that the dialog stays
 * above them and its buttons are never covered. Set on the dialog only: on the whole page it would restyle every row for
 * each toast.
 */
export function useRoomForToasts(toasts: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const section = toasts.current
    if (!section) return
    const setHeight = () => {
      // Dialogs are direct children of the body. Searching the whole page would go through all of its rows.
      for (const part of document.body.children) {
        if (part instanceof HTMLElement && part.matches('[data-above-toasts]'))
          part.style.setProperty('--toasts', `${heightOf(section)}px`)
      }
    }
    const observer = new MutationObserver(setHeight)
    observer.observe(section, { subtree: true, childList: true, attributes: true })
    // Dialogs are added here when they open.
    observer.observe(document.body, { childList: true })
    setHeight()
    return () => observer.disconnect()
  }, [toasts])
}

/**
 * Pixels that the toasts take at the bottom of the window. Computed from the values that sonner lays the toasts out with, since
 * the toasts may still be moving into place.
 */
function heightOf(section: HTMLElement): number {
  const shown = [
    ...section.querySelectorAll<HTMLElement>('[data-sonner-toast][data-visible=true][data-removed=false]'),
  ]
  const [front] = shown
  const list = front?.closest('ol')
  if (!front || !list) return 0
  const below = window.innerHeight - list.getBoundingClientRect().bottom
  const measure = (toast: HTMLElement, name: string) =>
    Number.parseFloat(toast.style.getPropertyValue(name)) || 0
  const height =
    front.dataset.expanded === 'true'
      ? Math.max(...shown.map((toast) => measure(toast, '--offset') + measure(toast, '--initial-height')))
      : measure(front, '--initial-height') + peek * (shown.length - 1)
  return Math.ceil(below + height + gap)
}
