import { plainWord } from '#platform/language/typed-date.ts'

/** A word and its place in the text. */
export interface Word {
  from: number
  to: number
  /** The word as normalized by `plainWord`. The phrase patterns of a language spell words in the same way. */
  plain: string
  /** `plain` without the punctuation at its end. */
  bare: string
}

/** The words of the text, separated by white space and commas. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[^\s,]+/g)].map(({ 0: word, index }) => {
    const plain = plainWord(word)
    return { from: index, to: index + word.length, plain, bare: withoutEnd(plain, '.!;:…') }
  })
}

/** The text without any of these characters at its end. A text that consists only of them stays as it is. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return end === 0 ? text : text.slice(0, end)
}

export function isSpace(character: string): boolean {
  return character.trim() === ''
}

/** A range of the text; `to` is exclusive. */
export interface Span {
  from: number
  to: number
}

export function overlap(one: Span, other: Span): boolean {
  return one.from < other.to && other.from < one.to
}

const quotes = new Map([
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
])

/**
 * The spans of quoted text, including the quotation marks. A mark opens a quotation only before a word, so an inch sign after a
 * number opens none.
 */
export function quotedIn(text: string): Span[] {
  const spans: Span[] = []
  const unclosed = new Set<string>()
  for (let place = 0; place < text.length; place++) {
    const closing = quotes.get(text.charAt(place))
    const opens = place === 0 || isSpace(text.charAt(place - 1)) || text.charAt(place - 1) === '('
    if (closing === undefined || !opens || unclosed.has(closing)) continue
    const end = text.indexOf(closing, place + 1)
    if (end < 0) unclosed.add(closing)
    else {
      spans.push({ from: place, to: end + 1 })
      place = end
    }
  }
  return spans
}
