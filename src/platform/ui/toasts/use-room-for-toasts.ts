import { type RefObject, useEffect } from 'react'
import { type Box, placeOfToasts, roomAboveSheet, type Shift } from './place-of-toasts.ts'
import { toastObstacles } from './toast-obstacles.ts'

/** Pixels between the toasts and a dialog that makes room for them. */
const gap = 8
/** Pixels between the toasts and obstacles. On a narrow screen, toasts are as wide as the screen. */
const gapAround = () => (matchMedia('(max-width: 600px)').matches ? 16 : 12)
/** Pixels of a toast that show above the one in front of it. */
const peek = 14
/** Milliseconds after which everything that opens has reached its place. */
const opened = 200

/**
 * Keeps toasts from covering what is needed next. They move out of the way of obstacles (`keepToastsOff`); `--shift` of `toasts`
 * is how far. What leaves no place for them makes room: `--toasts` of an open dialog is the height that they take at the bottom
 * of the window, and `--toasts` of a sheet (`data-below-toasts`) the height that they need above it. Set on the dialog or the
 * sheet only: on the whole page it would restyle every row for each toast.
 */
export function useRoomForToasts(toasts: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const section = toasts.current
    if (!section) return
    let placed: { list: HTMLElement; shift: Shift } | undefined
    const place = (stays = false) => {
      const stack = stackIn(section)
      if (!stack) placed = undefined
      else if (!placed || placed.list !== stack.list || !stays || !stack.isExpanded)
        placed = { list: stack.list, shift: clear(stack.usual) ?? { x: 0, y: 0 } }
      const { x, y } = placed?.shift ?? { x: 0, y: 0 }
      setOnce(section, '--shift', `${x}px ${y}px`)
      const height = stack ? Math.ceil(window.innerHeight - stack.usual.bottom - y + stack.height + gap) : 0
      // Dialogs are direct children of the body. Searching the whole page would go through all of its rows.
      for (const part of document.body.children) {
        if (part instanceof HTMLElement && part.matches('[data-above-toasts]'))
          part.style.setProperty('--toasts', `${height}px`)
      }
    }

    // Toasts that somebody points at stay where they are when others come and go.
    const observer = new MutationObserver(() => place(true))
    observer.observe(section, { subtree: true, childList: true, attributes: true })
    // Dialogs are added here when they open.
    observer.observe(document.body, { childList: true })
    const sizes = new ResizeObserver(() => place())
    let later: ReturnType<typeof setTimeout>
    const observeObstacles = () => {
      sizes.disconnect()
      for (const obstacle of toastObstacles.all()) sizes.observe(obstacle)
      clearTimeout(later)
      later = setTimeout(place, opened)
      place()
    }
    const unsubscribe = toastObstacles.subscribe(observeObstacles)
    const resized = () => place()
    window.addEventListener('resize', resized)
    observeObstacles()
    return () => {
      observer.disconnect()
      sizes.disconnect()
      clearTimeout(later)
      unsubscribe()
      window.removeEventListener('resize', resized)
    }
  }, [toasts])
}

/** How far toasts at their usual place have to move; undefined if there is no place for them. */
function clear(usual: Box): Shift | undefined {
  const obstacles = toastObstacles.all()
  const sheets = obstacles.filter((obstacle) => obstacle.matches('[data-below-toasts]'))
  for (const sheet of sheets) sheet.style.removeProperty('--toasts')
  const boxes = () => obstacles.map((obstacle) => obstacle.getBoundingClientRect())
  const shift = placeOfToasts(usual, boxes(), gapAround())
  if (shift || sheets.length === 0) return shift
  const room = roomAboveSheet(usual.bottom - usual.top)
  for (const sheet of sheets) sheet.style.setProperty('--toasts', `${room}px`)
  return placeOfToasts(usual, boxes(), gapAround())
}

interface Stack {
  list: HTMLElement
  isExpanded: boolean
  /** The place of the toasts that are not expanded, if nothing is in their way. */
  usual: Box
  height: number
}

/** Computed from the values that sonner lays the toasts out with, since the toasts may still be moving into place. */
function stackIn(section: HTMLElement): Stack | undefined {
  const shown = [
    ...section.querySelectorAll<HTMLElement>('[data-sonner-toast][data-visible=true][data-removed=false]'),
  ]
  const [front] = shown
  const list = front?.closest('ol')
  if (!front || !list) return undefined
  const measure = (toast: HTMLElement, name: string) =>
    Number.parseFloat(toast.style.getPropertyValue(name)) || 0
  const isExpanded = front.dataset.expanded === 'true'
  // Sonner does not measure again when a narrower window wraps the text.
  const folded = Math.max(front.offsetHeight, measure(front, '--initial-height')) + peek * (shown.length - 1)
  const bottom = window.innerHeight - Number.parseFloat(getComputedStyle(list).bottom)
  const left = list.offsetLeft + front.offsetLeft
  return {
    list,
    isExpanded,
    usual: { left, right: left + front.offsetWidth, top: bottom - folded, bottom },
    height: isExpanded
      ? Math.max(...shown.map((toast) => measure(toast, '--offset') + measure(toast, '--initial-height')))
      : folded,
  }
}

/** Leaves the same value alone: setting it would be observed again. */
function setOnce({ style }: HTMLElement, name: string, value: string): void {
  if (style.getPropertyValue(name) !== value) style.setProperty(name, value)
}
