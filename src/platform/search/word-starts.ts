// Which letters the words of a text start with, as bits of one number: most rows are ruled out by it without a look at their texts.

/** Every letter and digit that a word of this folded text starts with, and maybe more. */
export function startsIn(text: string): number {
  let starts = 0
  let isInWord = false
  for (let place = 0; place < text.length; place++) {
    const start = startOf(text.charCodeAt(place))
    if (!isInWord) starts |= start
    // After any other sign a word may start: what is a word in which script is for the match to say.
    isInWord = start !== 0
  }
  return starts
}

/** What a text must have of `startsIn` to have words that start with these. */
export function startsNeeded(words: readonly string[]): number {
  return words.reduce((starts, word) => starts | startOf(word.charCodeAt(0)), 0)
}

/** A bit for each letter from a to z and each two digits; 0 for any other sign, which rules out nothing. */
function startOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return 1 << (code - 0x61)
  return code >= 0x30 && code <= 0x39 ? 1 << (26 + ((code - 0x30) >> 1)) : 0
}
