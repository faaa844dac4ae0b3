/** How long a finger rests on a row to choose it, in milliseconds. */
const holdFor = 400
/** How far a resting finger may stray, in pixels. */
const stray = 8

interface PointerChoice {
  isChoosing(): boolean
  isTodo(id: string): boolean
  toggle(id: string): void
  /** Chooses all rows up to this one. */
  extend(id: string): void
}

/**
 * Chooses rows of `board`: by clicks with Ctrl, ⌘ or Shift, and by a finger that rests on a row. As long as some are chosen, a tap
 * does the same. A finger that moves scrolls, swipes or drags, as ever.
 */
export function chooseByPointer(board: HTMLElement, choice: PointerChoice): () => void {
  let pressed:
    | { row: HTMLElement; id: string; x: number; y: number; timer: number; rested: boolean }
    | undefined

  const rowOf = (target: EventTarget | null) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
    const id = row?.dataset.row
    if (!row || id === undefined || !choice.isTodo(id)) return undefined
    // There it moves the cursor, or chooses text.
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
    // Or it would choose text as well.
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
        // It may become a drag: then it is chosen once the finger leaves without having moved.
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
        // Or it would be a tap as well.
        if (event.cancelable) event.preventDefault()
        if (pressed.row.dataset.dragged !== undefined) chooseRested()
      }
      letGo()
    },
    { signal, capture: true },
  )
  board.addEventListener('touchcancel', letGo, { signal })
  // A long press selects text and opens menus.
  board.addEventListener('contextmenu', (event) => pressed && event.preventDefault(), { signal })
  window.addEventListener('scroll', letGo, { signal, passive: true })
  return () => {
    letGo()
    events.abort()
  }
}

/** The title is one as well, but it fills the row. */
function isButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button:not([data-title]), a') !== null
}
