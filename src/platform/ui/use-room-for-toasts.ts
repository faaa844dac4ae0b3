import { type RefObject, useEffect } from 'react'

/** Between the toasts and what makes room for them, in pixels. */
const gap = 8
/** How far a toast looks out above the one in front of it. */
const peek = 14

/**
 * Tells the page, as `--toasts`, how much of the window's lower end the toasts take, so that an open dialog stays above
 * them: what one came to press in it is never under a toast.
 */
export function useRoomForToasts(toasts: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const section = toasts.current
    if (!section) return
    const { style } = document.documentElement
    const measure = () => style.setProperty('--toasts', `${heightOf(section)}px`)
    const observer = new MutationObserver(measure)
    observer.observe(section, { subtree: true, childList: true, attributes: true })
    measure()
    return () => {
      observer.disconnect()
      style.removeProperty('--toasts')
    }
  }, [toasts])
}

/** By what sonner lays them out with, since they are still on their way to it. */
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
