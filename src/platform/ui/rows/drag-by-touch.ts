import { previewOf } from './drop-place.ts'

/** How long a finger rests before a row can be dragged, in milliseconds. A tap is shorter, and a scroll moves before that. */
const holdFor = 300
/** How far a resting finger may stray, in pixels. */
const stray = 8
/** How close to the upper and lower edge of the window the page scrolls by itself, in pixels. */
const scrollZone = 72

interface TouchDrag {
  begin(row: HTMLElement): void
  /** The finger is at this height of the window, or the page has scrolled beneath it. */
  over(height: number): void
  drop(row: HTMLElement, height: number): void
  cancel(): void
}

/**
 * Drags a row of `list` within `board` after a long press. Browsers drag by touch themselves, but each in its own way: after a time of their own, over
 * their own menus, and without scrolling.
 */
export function dragByTouch(list: HTMLElement, board: HTMLElement, drag: TouchDrag): () => void {
  let pressed: { row: HTMLElement; x: number; y: number; timer: number } | undefined
  let held: { row: HTMLElement; preview: HTMLElement; below: number; y: number; moved: boolean } | undefined

  const letGo = () => {
    clearTimeout(pressed?.timer)
    pressed = undefined
    held?.preview.remove()
    held = undefined
  }
  const cancel = () => {
    if (held) drag.cancel()
    letGo()
  }

  const begin = () => {
    if (!pressed) return
    const { row, y } = pressed
    pressed = undefined
    const { top, left } = row.getBoundingClientRect()
    const preview = previewOf(row)
    preview.className = 'pointer-events-none absolute z-10'
    preview.style.left = `${left - board.getBoundingClientRect().left}px`
    board.append(preview)
    held = { row, preview, below: y - top, y, moved: false }
    navigator.vibrate?.(10)
    drag.begin(row)
    follow()
    requestAnimationFrame(scrollAtEdges)
  }

  const follow = () => {
    if (!held) return
    held.preview.style.top = `${held.y - held.below - board.getBoundingClientRect().top}px`
    drag.over(held.y)
  }

  const scrollAtEdges = () => {
    if (!held) return
    // It was completed or deleted elsewhere: no further touch of it arrives here.
    if (!held.row.isConnected) return cancel()
    const beyond = Math.max(0, held.y - (window.innerHeight - scrollZone)) - Math.max(0, scrollZone - held.y)
    if (held.moved && beyond !== 0) {
      window.scrollBy({ top: beyond / 4, behavior: 'instant' })
      follow()
    }
    requestAnimationFrame(scrollAtEdges)
  }

  const events = new AbortController()
  const { signal } = events
  list.addEventListener(
    'touchstart',
    (event) => {
      cancel()
      const [touch] = event.touches
      if (!touch || event.touches.length > 1 || !(event.target instanceof Element)) return
      const row = event.target.closest<HTMLElement>('[data-row]')
      if (!row || event.target.closest('button:not([data-title]), a, input[type=text]')) return
      pressed = { row, x: touch.clientX, y: touch.clientY, timer: window.setTimeout(begin, holdFor) }
    },
    { signal, passive: true },
  )
  list.addEventListener(
    'touchmove',
    (event) => {
      const [touch] = event.touches
      if (!touch) return
      if (pressed && Math.hypot(touch.clientX - pressed.x, touch.clientY - pressed.y) > stray) cancel()
      if (!held) return
      // Or the page would scroll.
      if (event.cancelable) event.preventDefault()
      held.moved ||= Math.abs(touch.clientY - held.y) > stray
      if (!held.moved) return
      held.y = touch.clientY
      follow()
    },
    { signal, passive: false },
  )
  list.addEventListener(
    'touchend',
    (event) => {
      if (held?.moved) {
        // Or it would be a tap as well.
        event.preventDefault()
        drag.drop(held.row, held.y)
        return letGo()
      }
      cancel()
    },
    { signal },
  )
  list.addEventListener('touchcancel', cancel, { signal })
  // A long press selects text and opens menus.
  list.addEventListener('contextmenu', (event) => (pressed || held) && event.preventDefault(), { signal })
  window.addEventListener('scroll', () => pressed && cancel(), { signal, passive: true })
  return () => {
    cancel()
    events.abort()
  }
}
