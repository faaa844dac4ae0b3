import { useLayoutEffect } from 'react'

/**
 * Keeps the dock of the field for a new task above the on-screen keyboard: most browsers lay the keyboard over the page. Hides the
 * dock while somebody types elsewhere. Tells it how much of the window is in sight, as `--seen`. `isUp`: whether the keyboard is up.
 */
export function useDockAboveKeyboard(isUp: boolean): void {
  useLayoutEffect(() => {
    const dock = document.querySelector<HTMLElement>('[data-dock]')
    const { visualViewport } = window
    if (!isUp || !dock) return
    const place = () => {
      const seen = visualViewport ? visualViewport.height * visualViewport.scale : window.innerHeight
      const covered = window.innerHeight - seen - (visualViewport?.offsetTop ?? 0)
      dock.style.setProperty('--keyboard', `${Math.max(0, covered)}px`)
      dock.style.setProperty('--seen', `${seen}px`)
      dock.dataset.keyboard = dock.contains(document.activeElement) ? 'own' : 'other'
    }
    place()
    dock.addEventListener('mousedown', keepKeyboard)
    const events = new AbortController()
    const { signal } = events
    for (const type of ['resize', 'scroll']) visualViewport?.addEventListener(type, place, { signal })
    window.addEventListener('resize', place, { signal })
    document.addEventListener('focusin', place, { signal })
    return () => {
      dock.removeEventListener('mousedown', keepKeyboard)
      events.abort()
      for (const name of ['--keyboard', '--seen']) dock.style.removeProperty(name)
      delete dock.dataset.keyboard
    }
  }, [isUp])
}

/** A button that took the focus would send the keyboard away, and the dock would move from under the finger. */
function keepKeyboard(event: Event) {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault()
}
