// How a language writes dates and times is data: forms such as 'in {count} {unit}' or '[the] {day} [of] {month}'. A form is a
// series of words with spaces between them. 'a|b' matches either word, brackets make a word optional, and braces name the
// reader that reads a value. No regular expression is built from a form, and each word is examined a few times at most.

/**
 * Reads a value at a place among the words, and says how many words it takes. Returns undefined if the words there are
 * something else.
 */
export type Reader<Value> = (
  words: readonly string[],
  place: number,
) => { value: Value; length: number } | undefined

export type Readers<Slots> = { readonly [Slot in keyof Slots]: Reader<Slots[Slot]> }

interface Item<Slots> {
  /** The literal words that match; undefined where a reader decides. */
  words?: readonly string[]
  slot?: keyof Slots
  optional: boolean
}

export type CompiledForm<Slots> = readonly Item<Slots>[]

export function compiledForm<Slots>(form: string, readers: Readers<Slots>): CompiledForm<Slots> {
  return form.split(' ').map((text) => {
    const optional = text.startsWith('[')
    const inner = optional ? text.slice(1, -1) : text
    if (!inner.startsWith('{')) return { words: inner.split('|'), optional }
    const name = inner.slice(1, -1)
    const slot = Object.keys(readers).find((each): each is keyof Slots & string => each === name)
    if (slot === undefined) throw new Error(`Nothing reads ${inner} in the form '${form}'`)
    return { slot, optional }
  })
}

/** Reads the values if all the words match the form; undefined if they do not. */
export function inForm<Slots>(
  form: CompiledForm<Slots>,
  words: readonly string[],
  readers: Readers<Slots>,
): Partial<Slots> | undefined {
  return restInForm(form, words, readers, { item: 0, place: 0 })
}

function restInForm<Slots>(
  form: CompiledForm<Slots>,
  words: readonly string[],
  readers: Readers<Slots>,
  { item: number, place }: { item: number; place: number },
): Partial<Slots> | undefined {
  const item = form[number]
  if (!item) return place === words.length ? {} : undefined
  const { slot } = item
  const read = slot === undefined ? literal(item.words, words, place) : readers[slot](words, place)
  if (read) {
    const rest = restInForm(form, words, readers, { item: number + 1, place: place + read.length })
    if (rest) return slot === undefined ? rest : { ...rest, [slot]: read.value }
  }
  return item.optional ? restInForm(form, words, readers, { item: number + 1, place }) : undefined
}

function literal(choices: readonly string[] = [], words: readonly string[], place: number) {
  const word = words[place]
  return word !== undefined && choices.includes(word) ? { value: undefined, length: 1 } : undefined
}

/** Makes a reader of a single word. */
export function oneWord<Value>(read: (word: string) => Value | undefined): Reader<Value> {
  return (words, place) => {
    const word = words[place]
    const value = word === undefined ? undefined : read(word)
    return value === undefined ? undefined : { value, length: 1 }
  }
}
