import type { Value } from './history.ts'
import type { Register } from './registers.ts'

/** What an undo or redo sets in one register. The pages of its device share it. */
export interface Undo {
  register: Register
  value: unknown
  /** Whether a page has shown another value after this one, so that the device no longer queues the undo. */
  isOver: boolean
}

/**
 * The undos and redos of a device that one of its pages may still show. An undo counts as made right after what it takes back,
 * and so may be older than what the page has seen: it takes back a tick of its own, although the task was reopened and ticked
 * again elsewhere, since one tick looks like another. Like every queued change, it is shown on top of what the server has, until
 * the response tells that a later change stands. So its value may be shown once, until the page shows another one.
 */
export class WaitingUndos {
  /** In the order in which they were made. */
  #undos = new Map<Register, { undo: Undo; isShown: boolean }[]>()

  take(undo: Undo): void {
    const { register } = undo
    this.#undos.set(register, [...(this.#undos.get(register) ?? []), { undo, isShown: false }])
  }

  /** The page newly shows this value. Returns whether that may be because of an undo that waits. */
  show(register: Register, value: Value | undefined): boolean {
    const waiting = (this.#undos.get(register) ?? []).filter(({ undo, isShown }) => {
      if (isShown && undo.value !== value) undo.isOver = true
      return !isShown || undo.value === value
    })
    const place = waiting.findIndex(({ undo }) => undo.value === value)
    const shown = waiting[place]
    if (shown) shown.isShown = true
    // Those before it lie below it, where nobody sees them any more.
    this.#undos.set(register, shown ? waiting.slice(place) : waiting)
    return shown !== undefined
  }

  /** Whether what the page shows may be because of an undo that waits, and so says nothing about the server. */
  isShown(register: Register): boolean {
    return (this.#undos.get(register) ?? []).some(({ isShown }) => isShown)
  }
}
