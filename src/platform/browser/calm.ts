let look = () => false

/** Whether something that opens by itself has to wait: somebody types, or did so a moment ago, and asked for nothing since. */
export function isTyping(): boolean {
  return look()
}

/** What knows comes after the screen; until then nobody is known to type. */
export function lookForTyping(isTyping: () => boolean): void {
  look = isTyping
}
