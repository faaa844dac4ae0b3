interface TypingState {
  isTyping(): boolean
  isMisled(event: KeyboardEvent): boolean
  movingByItself(move: () => void): void
}

// The real implementation loads after the screen. Until then, nobody counts as typing.
const unknown: TypingState = {
  isTyping: () => false,
  isMisled: () => false,
  movingByItself: (move) => move(),
}
let state = unknown

/**
 * Whether something that opens by itself has to wait: the person is typing, or was a moment ago, and has requested nothing
 * since.
 */
export function isTyping(): boolean {
  return state.isTyping()
}

/**
 * Whether a key was meant for a field that is gone, or for a row that the program moved the focus away from. The first
 * handler of such a key ignores it.
 */
export function isMisled(event: KeyboardEvent): boolean {
  return state.isMisled(event)
}

/** Moves the focus because of a change on another device, which does not count as a response to the person's last action. */
export function movingByItself(move: () => void): void {
  state.movingByItself(move)
}

export function setTypingState(known: TypingState = unknown): void {
  state = known
}
