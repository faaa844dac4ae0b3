import { textOf } from '#app/testing/convergence/people/one-change.ts'
import type { Change } from '#app/testing/convergence/rules/rule.ts'
import { inFinalOrder, type Writers } from './change-order.ts'
import type { History } from './history.ts'

/** The number of the change that typed a text; undefined for an empty text. */
type TextNumber = number | undefined

/** A row with its texts, by field. */
export interface TextRow {
  collection: string
  row: string
  registers: ReadonlyMap<string, TextRegister>
}

/** One text of one row. */
export class TextRegister {
  readonly collection: string
  readonly row: string
  readonly field: string
  /** All changes of this text, also those that only empty it or bring another text back. */
  readonly changes: Change[] = []
  #writers = new Map<TextNumber, Writers>([[undefined, []]])

  constructor({ collection, row }: Pick<TextRow, 'collection' | 'row'>, field: string) {
    this.collection = collection
    this.row = row
    this.field = field
  }

  /** Who may have put a text here, by what has been made so far. Undefined if nobody did: the change was never stored. */
  writersOf(text: TextNumber): Writers | undefined {
    return this.#writers.get(text)
  }

  /** The changes in the order in which they stand in the end. */
  inFinalOrder(): Change[] {
    return this.changes.toSorted(inFinalOrder)
  }

  textIn({ fields }: Change): TextNumber {
    return textNumber(fields.get(this.field))
  }

  /** From now on, this change may be the reason why its text is shown. */
  takeWriter(change: Change): void {
    const text = this.textIn(change)
    const writers = this.#writers.get(text) ?? []
    // A new array, since pages remember who may have written what they saw.
    if (!writers.includes(change)) this.#writers.set(text, [...writers, change])
  }

  toString(): string {
    return `${this.collection} ${this.row} ${this.field}`
  }
}

/** The texts that the pages of a history show. Texts that none of them shows, such as the notes of days, are left out. */
export class TextRegisters {
  /** The changes by their numbers. */
  readonly changes: ReadonlyMap<number, Change>
  #fields = new Map<string, Set<string>>()
  #rows = new Map<string, Map<string, TextRow>>()

  constructor(history: History, changes: readonly Change[]) {
    this.changes = new Map(changes.map((change) => [change.number, change]))
    for (const event of history) {
      if (event.kind !== 'shown') continue
      const fields = this.#fields.get(event.collection) ?? new Set<string>()
      for (const field of event.texts?.keys() ?? []) fields.add(field)
      this.#fields.set(event.collection, fields)
    }
    for (const change of changes.toSorted((a, b) => a.number - b.number)) {
      for (const register of this.of(change)) {
        register.changes.push(change)
        const isTyped = register.textIn(change) === change.number
        if (isTyped || change.device === undefined) register.takeWriter(change)
      }
    }
  }

  /** The texts that a change writes. */
  of(change: Change): TextRegister[] {
    const { registers } = this.row(change)
    return [...change.fields.keys()].flatMap((field) => registers.get(field) ?? [])
  }

  /** A change has been made: an undo may be the reason for a text only from then on. */
  takeMade(change: Change): void {
    for (const register of this.of(change)) register.takeWriter(change)
  }

  /** Every text that there is. */
  all(): TextRegister[] {
    const rows = [...this.#rows.values()].flatMap((ofCollection) => [...ofCollection.values()])
    return rows.flatMap(({ registers }) => [...registers.values()])
  }

  row({ collection, row }: Pick<TextRow, 'collection' | 'row'>): TextRow {
    const ofCollection = this.#rows.get(collection) ?? new Map<string, TextRow>()
    this.#rows.set(collection, ofCollection)
    const known = ofCollection.get(row)
    if (known) return known
    const fields = [...(this.#fields.get(collection) ?? [])]
    const registers = new Map(fields.map((field) => [field, new TextRegister({ collection, row }, field)]))
    const created = { collection, row, registers }
    ofCollection.set(row, created)
    return created
  }
}

function textNumber(value: unknown): TextNumber {
  const number = Number(/\d+$/.exec(String(value))?.[0])
  return value === textOf(number) ? number : undefined
}

/** The texts that one page shows now. */
export class PageTexts {
  #shown = new Map<TextRegister, TextNumber>()

  /** Shows a row, or hides it if it has no texts. Returns the registers whose texts the page did not show just before. */
  show({ registers }: TextRow, texts: ReadonlyMap<string, number> | undefined): TextRegister[] {
    const newly: TextRegister[] = []
    for (const register of registers.values()) {
      if (!texts) {
        this.#shown.delete(register)
        continue
      }
      const text = texts.get(register.field)
      if (this.#shown.has(register) && this.#shown.get(register) === text) continue
      this.#shown.set(register, text)
      newly.push(register)
    }
    return newly
  }

  /** The number of the text that is shown; undefined if it is empty or not shown. */
  numberOf(register: TextRegister): TextNumber {
    return this.#shown.get(register)
  }

  /**
   * Undefined if the text isn't shown, or is of a change that was never stored. An undo elsewhere counts even if it only brought
   * back what the page was still showing: the page may have read it since.
   */
  writersOf(register: TextRegister): Writers | undefined {
    return this.#shown.has(register) ? register.writersOf(this.#shown.get(register)) : undefined
  }

  /** The registers of a collection whose texts are shown and not empty. */
  *filledOf(collection: string): Iterable<TextRegister> {
    for (const [register, text] of this.#shown) {
      if (register.collection === collection && text !== undefined) yield register
    }
  }
}
