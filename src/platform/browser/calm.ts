interface Look {
  isTyping(): boolean
  isMisled(event: KeyboardEvent): boolean
  movingByItself(move: () => void): void
}

// What knows comes after the screen; until then nobody is known to type.
const unknown: Look = { isTyping: () => false, isMisled: () => false, movingByItself: (move) => move() }
let look = unknown

/** Whether something that opens by itself has to wait: somebody types, or did so a moment ago, and asked for nothing since. */
export function isTyping(): boolean {
  return look.isTyping()
}

/** Whether a key was meant for a field that is gone, or for a row that the program left: whoever hears it first does nothing. */
export function isMisled(event: KeyboardEvent): boolean {
  return look.isMisled(event)
}

/** Moves the focus for what another device has done, which is no answer to what the person did just before. */
export function movingByItself(move: () => void): void {
  look.movingByItself(move)
}

export function lookForTyping(found: Look = unknown): void {
  look = found
}
