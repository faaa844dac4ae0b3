/** The direction in which the finger swipes a row. */
export type Swipe = 'right' | 'left'

interface RowSwipe {
  /** The row has moved `by` pixels to the right, or to the left if negative. `enough`: letting go now triggers the action. */
  moved(row: HTMLElement, by: number, enough: boolean): void
  /** The finger was lifted. `swipe` is the direction if the row moved far enough to trigger the action. */
  ended(row: HTMLElement, swipe: Swipe | undefined): void
}

/** Pixels after which a movement has a direction. */
const slack = 10
/** A movement is a swipe if it goes this many times further across than down. Any other movement scrolls. */
const steepness = 1.5
/** Pixels that a row must move to trigger the action; in narrow windows, a third of the width. */
const far = 112
/** Pixels at both edges of the window, where browsers use swipes to go back and forward. */
const edge = 24

/**
 * Reports swipes on rows in `board`, and returns a function that stops this. Ignores fingers that scroll up or down, or rest to
 * drag a row.
 */
export function swipeByTouch(board: HTMLElement, swipe: RowSwipe): () => void {
  let pressed: { row: HTMLElement; x: number; y: number } | undefined
  let swiped: { row: HTMLElement; x: number; by: number } | undefined

  const enough = (by: number) => Math.abs(by) >= Math.min(far, window.innerWidth / 3)
  const end = (isDone: boolean) => {
    pressed = undefined
    if (!swiped) return
    const { row, by } = swiped
    swiped = undefined
    const direction = by > 0 ? 'right' : 'left'
    swipe.ended(row, isDone && enough(by) && row.isConnected ? direction : undefined)
  }

  const events = new AbortController()
  const { signal } = events
  board.addEventListener(
    'touchstart',
    (event) => {
      end(false)
      const [touch] = event.touches
      if (!touch || event.touches.length > 1 || !(event.target instanceof Element)) return
      const { clientX: x, clientY: y } = touch
      if (x < edge || x > window.innerWidth - edge) return
      const row = event.target.closest<HTMLElement>('li[data-row]')
      // In a text field, the finger moves the cursor.
      if (row && !event.target.closest('input[type=text]')) pressed = { row, x, y }
    },
    { signal, passive: true },
  )
  board.addEventListener(
    'touchmove',
    (event) => {
      const [touch] = event.touches
      if (!touch || event.touches.length > 1) return end(false)
      if (pressed) {
        const [across, down] = [touch.clientX - pressed.x, touch.clientY - pressed.y]
        if (Math.hypot(across, down) < slack) return
        const { row } = pressed
        pressed = undefined
        const isSwipe = Math.abs(across) > steepness * Math.abs(down) && row.dataset.dragged === undefined
        if (!isSwipe) return
        swiped = { row, x: touch.clientX - across, by: across }
      }
      if (!swiped) return
      if (event.cancelable) event.preventDefault()
      const was = swiped.by
      swiped.by = touch.clientX - swiped.x
      if (enough(swiped.by) && !enough(was)) navigator.vibrate?.(10)
      swipe.moved(swiped.row, swiped.by, enough(swiped.by))
    },
    { signal, passive: false },
  )
  board.addEventListener(
    'touchend',
    (event) => {
      // Otherwise the swipe would also count as a tap.
      if (swiped && event.cancelable) event.preventDefault()
      end(true)
    },
    { signal },
  )
  board.addEventListener('touchcancel', () => end(false), { signal })
  return () => {
    end(false)
    events.abort()
  }
}
