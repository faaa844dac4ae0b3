interface TypingState {
  isTyping(): boolean
  isMisled(event: KeyboardEvent): boolean
  movingByItself(move: () => void): void
}

// What knows comes after the screen; until then nobody is known to type.
const unknown: TypingState = {
  isTyping: () => false,
  isMisled: () => false,
  movingByItself: (move) => move(),
}
let state = unknown

/** Whether something that opens by itself has to wait: somebody types, or did so a moment ago, and asked for nothing since. */
export function isTyping(): boolean {
  return state.isTyping()
}

/** Whether a key was meant for a field that is gone, or for a row that the program left: whoever hears it first does nothing. */
export function isMisled(event: KeyboardEvent): boolean {
  return state.isMisled(event)
}

/** Moves the focus for what another device has done, which is no answer to what the person did just before. */
export function movingByItself(move: () => void): void {
  state.movingByItself(move)
}

export function setTypingState(known: TypingState = unknown): void {
  state = known
}
