import { previewOf } from './drop-place.ts'

/** Milliseconds that a finger rests before a row can be dragged. A tap is shorter, and a scroll moves before that. */
const holdFor = 300
/** Pixels that a resting finger may move. */
const stray = 8
/** Pixels from the upper edge of the window, and from the bars at the lower one, within which the page scrolls by itself. */
const scrollZone = 72

interface TouchDrag {
  begin(row: HTMLElement): void
  /** Called when the finger is at this height of the window, or the page has scrolled beneath it. */
  over(height: number): void
  drop(row: HTMLElement, height: number): void
  cancel(): void
}

/**
 * Lets a finger drag a row of `list` within `board` after a long press. Browsers have dragging by touch built in, but each starts
 * it after a different delay, over its own menus, and without scrolling. Returns a function that turns the dragging off.
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
    // The row was completed or deleted elsewhere, so no further touch events arrive here.
    if (!held.row.isConnected) return cancel()
    const below = Math.max(0, held.y - (window.innerHeight - barsAtBottom() - scrollZone))
    const beyond = Math.min(scrollZone, below) - Math.max(0, scrollZone - held.y)
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
      // Otherwise the page would scroll.
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
        // Otherwise lifting the finger would count as a tap.
        event.preventDefault()
        drag.drop(held.row, held.y)
        return letGo()
      }
      cancel()
    },
    { signal },
  )
  list.addEventListener('touchcancel', cancel, { signal })
  // A long press would otherwise select text and open menus.
  list.addEventListener('contextmenu', (event) => (pressed || held) && event.preventDefault(), { signal })
  window.addEventListener('scroll', () => pressed && cancel(), { signal, passive: true })
  return () => {
    cancel()
    events.abort()
  }
}

/** The height in pixels of what covers the bottom of a phone's window. */
function barsAtBottom(): number {
  return Number.parseFloat(document.documentElement.style.getPropertyValue('--bars')) || 0
}
