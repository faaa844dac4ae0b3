/**
 * A text as it is searched: the same for every spelling that a reader takes for the same. Without case and accents, with ß as ss,
 * compatible forms such as full-width letters as their plain ones. Device and server fold alike, whatever their language.
 */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase()
  return (
    text
      .normalize('NFKD')
      .replaceAll(marks, '')
      // Only as a capital is ß SS, and ı an I; and only as a small letter the capital ẞ is ß.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      // A capital of a composed letter may be several, with marks of their own.
      .normalize('NFKD')
      .replaceAll(special, (letter) => plainLetters.get(letter) ?? '')
  )
}

const isAscii = /^[\0-\x7f]*$/
const marks = /\p{M}/gu

/** Letters that nobody without their keyboard types, and signs that keyboards differ in. */
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

/** A folded text, and for each of its units the place in the original that it comes from. */
export function foldWithPlaces(text: string): { folded: string; places: number[] } {
  let folded = ''
  const places: number[] = []
  let place = 0
  for (const character of text) {
    const one = fold(character)
    for (let unit = 0; unit < one.length; unit++) places.push(place)
    folded += one
    place += character.length
  }
  return { folded, places }
}
