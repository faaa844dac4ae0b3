/** What a swipe across a row does, in the direction in which the finger moves. */
export type Swipe = 'right' | 'left'

interface RowSwipe {
  /** The row has moved by so many pixels to the right; negative to the left. `enough`: letting go does what it stands for. */
  moved(row: HTMLElement, by: number, enough: boolean): void
  /** The finger has left. `swipe`: what it did, if it moved far enough. */
  ended(row: HTMLElement, swipe: Swipe | undefined): void
}

/** From here on a movement has a direction, in pixels. */
const slack = 10
/** A finger that moves so much more across than down swipes; any other one scrolls. */
const steepness = 1.5
/** How far a row is swiped for it to count, in pixels; on a narrow window a third of it. */
const far = 112
/** At the edges of the window browsers go back and forward, in pixels. */
const edge = 24

/** Swipes of rows in `board`. A finger that moves up or down scrolls, and one that rests drags. */
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
      // In a text field it moves the cursor.
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
      // Or it would be a tap as well.
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
