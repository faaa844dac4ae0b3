import { fold, foldWithPlaces } from './fold.ts'

/** The folded search text and its words. */
export interface Wanted {
  whole: string
  words: readonly string[]
}

/** Returns undefined if there is nothing to search for. */
export function wantedOf(typed: string): Wanted | undefined {
  const whole = fold(typed).trim().replaceAll(/\s+/g, ' ')
  return whole === '' ? undefined : { whole, words: [...new Set(whole.split(' '))] }
}

/** The folded texts of a row: its title, and other texts that it can be found by. */
export interface FoldedTexts {
  title: string
  more: readonly string[]
}

/** How well a row matches; lower is better. */
export const matchRanks = { titleStart: 0, title: 1, elsewhere: 2 } as const
export type MatchRank = (typeof matchRanks)[keyof typeof matchRanks]

/** Ranks a match. Undefined unless every searched word starts a word of the row. */
export function matchOf({ title, more }: FoldedTexts, { whole, words }: Wanted): MatchRank | undefined {
  if (title.startsWith(whole)) return matchRanks.titleStart
  let rank: MatchRank = matchRanks.title
  for (const word of words) {
    if (placeOfWord(title, word) >= 0) continue
    if (!isIn(more, word)) return undefined
    rank = matchRanks.elsewhere
  }
  return rank
}

/** Whether every row that matches `wanted` also matches `other`. */
export function isNarrower(wanted: Wanted, other: Wanted): boolean {
  return other.words.every((word) => wanted.words.some((each) => each.startsWith(word)))
}

/** Whether a title and further texts match the search. */
export function areFound(wanted: Wanted, title: string, ...more: readonly string[]): boolean {
  return matchOf({ title: fold(title), more: more.map(fold) }, wanted) !== undefined
}

// A loop for speed, since it runs for each row with every key.
function isIn(texts: readonly string[], word: string): boolean {
  for (const text of texts) {
    if (placeOfWord(text, word) >= 0) return true
  }
  return false
}

/** Index of the first word in the folded text that starts with `word`; -1 if there is none. */
function placeOfWord(text: string, word: string): number {
  let place = text.indexOf(word)
  while (place > 0 && !startsWord(text, place)) place = text.indexOf(word, place + 1)
  return place
}

/** Whether the character at `place` starts a word. In scripts that put no spaces between words, any character may. */
function startsWord(text: string, place: number): boolean {
  const here = text.codePointAt(place) ?? 0
  if (!isOfWords(here) || isUnspaced(here)) return true
  const last = text.charCodeAt(place - 1)
  const before = last >= 0xdc00 && last < 0xe000 ? (text.codePointAt(place - 2) ?? last) : last
  return !isOfWords(before) || isUnspaced(before)
}

function isOfWords(codePoint: number): boolean {
  if (codePoint < 0x80) return asciiOfWords[codePoint] === true
  return /[\p{L}\p{N}]/u.test(String.fromCodePoint(codePoint))
}

const asciiOfWords = Array.from({ length: 0x80 }, (_, code) => /[a-z0-9]/.test(String.fromCharCode(code)))

function isUnspaced(codePoint: number): boolean {
  // The scripts without spaces all begin at or after U+0E00.
  return codePoint >= 0xe00 && unspaced.test(String.fromCodePoint(codePoint))
}

const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]/u

/** A part of a text, and whether it matches the search. */
export interface Piece {
  text: string
  found: boolean
}

/** Splits a text for highlighting. Each searched word is marked at the first place where it starts a word. */
export function piecesOf(text: string, wanted: Wanted | undefined): Piece[] {
  if (!wanted) return [{ text, found: false }]
  const { folded, places } = foldWithPlaces(text)
  const found = new Array<boolean>(text.length).fill(false)
  for (const word of wanted.words) {
    const at = placeOfWord(folded, word)
    if (at < 0) continue
    // Extend to the end of the last character, including its marks.
    let end = at + word.length
    while (end < places.length && places[end] === places[end - 1]) end++
    found.fill(true, places[at] ?? 0, places[end] ?? text.length)
  }
  const pieces: Piece[] = []
  for (let place = 0; place < text.length; ) {
    let end = place + 1
    while (end < text.length && found[end] === found[place]) end++
    pieces.push({ text: text.slice(place, end), found: found[place] === true })
    place = end
  }
  return pieces
}
