/** Milliseconds that a finger must rest on a row to select it. */
const holdFor = 400
/** Pixels that a resting finger may move. */
const stray = 8

interface PointerChoice {
  isChoosing(): boolean
  isTodo(id: string): boolean
  toggle(id: string): void
  /** Selects all rows up to this one. */
  extend(id: string): void
}

/**
 * Selects rows of `board`: by clicks with Ctrl, ⌘ or Shift, or by a finger that rests on a row. While rows are selected, a tap
 * also selects or deselects a row. A moving finger scrolls, swipes or drags as usual. Returns a function that stops this.
 */
export function chooseByPointer(board: HTMLElement, choice: PointerChoice): () => void {
  let pressed:
    | { row: HTMLElement; id: string; x: number; y: number; timer: number; rested: boolean }
    | undefined

  const rowOf = (target: EventTarget | null) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
    const id = row?.dataset.row
    if (!row || id === undefined || !choice.isTodo(id)) return undefined
    // In a text field, a press moves the cursor or selects text.
    if (target instanceof Element && target.closest('input[type=text]')) return undefined
    return { row, id }
  }
  const letGo = () => {
    clearTimeout(pressed?.timer)
    pressed = undefined
  }

  const events = new AbortController()
  const { signal } = events
  board.addEventListener(
    'mousedown',
    // Otherwise a click with Shift would also select text.
    (event) => event.shiftKey && rowOf(event.target) && event.preventDefault(),
    { signal },
  )
  board.addEventListener(
    'click',
    (event) => {
      const at = rowOf(event.target)
      if (!at) return
      const isTap = event instanceof PointerEvent && event.pointerType === 'touch' && choice.isChoosing()
      const isExtended = event.shiftKey && event.detail > 0
      const isToggled = (event.ctrlKey || event.metaKey) && event.detail > 0
      if (!isTap && !isExtended && !isToggled) return
      event.preventDefault()
      event.stopPropagation()
      if (isExtended) choice.extend(at.id)
      else choice.toggle(at.id)
    },
    { signal, capture: true },
  )

  board.addEventListener(
    'touchstart',
    (event) => {
      letGo()
      const [touch] = event.touches
      const at = rowOf(event.target)
      if (!at || !touch || event.touches.length > 1 || isButton(event.target)) return
      const rest = () => {
        if (!pressed) return
        pressed.rested = true
        // The finger may be about to drag the row. If so, select the row only if the finger is lifted without moving.
        if (at.row.dataset.dragged === undefined) chooseRested()
      }
      pressed = {
        ...at,
        x: touch.clientX,
        y: touch.clientY,
        timer: window.setTimeout(rest, holdFor),
        rested: false,
      }
    },
    { signal, passive: true },
  )
  const chooseRested = () => {
    if (!pressed) return
    navigator.vibrate?.(10)
    choice.toggle(pressed.id)
  }
  board.addEventListener(
    'touchmove',
    (event) => {
      const [touch] = event.touches
      if (!pressed || !touch) return
      if (
        event.touches.length > 1 ||
        Math.hypot(touch.clientX - pressed.x, touch.clientY - pressed.y) > stray
      )
        letGo()
    },
    { signal, passive: true },
  )
  board.addEventListener(
    'touchend',
    (event) => {
      if (pressed?.rested) {
        // Otherwise the long press would also count as a tap.
        if (event.cancelable) event.preventDefault()
        if (pressed.row.dataset.dragged !== undefined) chooseRested()
      }
      letGo()
    },
    { signal, capture: true },
  )
  board.addEventListener('touchcancel', letGo, { signal })
  // Keep a long press from opening a context menu.
  board.addEventListener('contextmenu', (event) => pressed && event.preventDefault(), { signal })
  window.addEventListener('scroll', letGo, { signal, passive: true })
  return () => {
    letGo()
    events.abort()
  }
}

/** The title is a button too, but it fills the row, so a press on it counts as a press on the row. */
function isButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button:not([data-title]), a') !== null
}
