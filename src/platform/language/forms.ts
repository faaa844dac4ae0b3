// How a language writes things down is data: forms such as 'in {count} {unit}' or '[the] {day} [of] {month}'. A form is words with a
// space between them. 'a|b' stands for either, brackets for what may be left out, and braces for what is read by a reader of
// that name. No regular expression is built from a form, and each word is looked at a few times at most.

/** What stands at a place among the words, and how many of them it takes; undefined if it isn't that. */
export type Reader<Value> = (
  words: readonly string[],
  place: number,
) => { value: Value; length: number } | undefined

export type Readers<Slots> = { readonly [Slot in keyof Slots]: Reader<Slots[Slot]> }

interface Item<Slots> {
  /** Undefined where a reader decides. */
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

/** What the words say if all of them are of that form. */
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

/** Reads one word. */
export function oneWord<Value>(read: (word: string) => Value | undefined): Reader<Value> {
  return (words, place) => {
    const word = words[place]
    const value = word === undefined ? undefined : read(word)
    return value === undefined ? undefined : { value, length: 1 }
  }
}
