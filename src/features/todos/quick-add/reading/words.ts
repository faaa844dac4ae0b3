import { plainWord } from '#platform/language/typed-date.ts'

/** A word of the text, by where it stands. */
export interface Word {
  from: number
  to: number
  /** As the forms of a language have it. */
  plain: string
  /** Without the punctuation after it. */
  bare: string
}

/** What lies between white space and commas. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[^\s,]+/g)].map(({ 0: word, index }) => {
    const plain = plainWord(word)
    return { from: index, to: index + word.length, plain, bare: withoutEnd(plain, '.!;:…') }
  })
}

/** Without what stands at its end, unless there is nothing else. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return end === 0 ? text : text.slice(0, end)
}

export function isSpace(character: string): boolean {
  return character.trim() === ''
}

/** From one place up to before another. */
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

/** What stands in quotes, with them. Inches and the like open none, since a quote opens before a word. */
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
