/**
 * Normalizes a text for searching, so that spellings which readers consider the same become equal: ignores case and accents,
 * writes ß as ss, and turns compatible forms such as full-width letters into plain ones. Device and server fold alike,
 * whatever their language.
 */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase()
  return (
    text
      .normalize('NFKD')
      .replaceAll(marks, '')
      // ß becomes SS, and ı becomes I, only in upper case; ẞ becomes ß only in lower case.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      // Upper-casing a composed letter may give several letters with marks of their own.
      .normalize('NFKD')
      .replaceAll(special, (letter) => plainLetters.get(letter) ?? '')
  )
}

const isAscii = /^[\0-\x7f]*$/
const marks = /\p{M}/gu

/** Letters that only some keyboards have, and signs that differ between keyboards. */
const plainLetters = new Map([
  ['ς', 'σ'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ħ', 'h'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['’', "'"],
  ['‘', "'"],
])
const special = /[ςøłđħæœ’‘]|\p{M}/gu

/** Folds a text. `places`: for each code unit of the folded text, the index in the original text that it comes from. */
export function foldWithPlaces(text: string): { folded: string; places: number[] } {
  let folded = ''
  const places: number[] = []
  let place = 0
  for (const character of text) {
    // Most are plain letters, and it runs for each result with every key.
    const one = character < '\x80' ? character.toLowerCase() : fold(character)
    for (let unit = 0; unit < one.length; unit++) places.push(place)
    folded += one
    place += character.length
  }
  return { folded, places }
}
