import { textOf } from '#app/testing/convergence/people/one-change.ts'
import { type Change, childrenEver } from '#app/testing/convergence/rules/rule.ts'
import { inFinalOrder, type Writers } from './change-order.ts'
import type { History, Value, Written } from './history.ts'

/** What a habit shows of a day that nobody has changed since the habit was added. */
const untouched = 'none'

/** A row with its registers, by field. */
export interface RegisterRow {
  collection: string
  row: string
  registers: ReadonlyMap<string, Register>
}

/** One field of one row. */
export class Register {
  readonly collection: string
  readonly row: string
  readonly field: string
  /** All changes of this field. */
  readonly changes: Change[] = []
  #writers = new Map<unknown, Writers>([['', []]])

  constructor({ collection, row }: Pick<RegisterRow, 'collection' | 'row'>, field: string) {
    this.collection = collection
    this.row = row
    this.field = field
  }

  /** Who may have put a value here, by what has been made so far. Undefined if nobody did: the change was never stored. */
  writersOf(value: Value): Writers | undefined {
    return this.#writers.get(value)
  }

  /** The changes in the order in which they stand in the end. */
  inFinalOrder(): Change[] {
    return this.changes.toSorted(inFinalOrder)
  }

  valueIn({ fields }: Change): unknown {
    return fields.has(this.field) ? fields.get(this.field) : untouched
  }

  /** Whether a change typed a text here that no other change types. */
  isTypedIn(change: Change): boolean {
    return this.valueIn(change) === textOf(change.number)
  }

  /** From now on, this change may be the reason why the value that it sets is shown. */
  takeWriter(change: Change): void {
    const value = this.valueIn(change)
    const writers = this.#writers.get(value) ?? []
    // A new array, since pages remember who may have written what they saw.
    if (!writers.includes(change)) this.#writers.set(value, [...writers, change])
  }

  toString(): string {
    return `${this.collection} ${this.row} ${this.field}`
  }
}

/** The fields that the pages of a history show. Fields that none of them shows, such as the notes of days, are left out. */
export class Registers {
  /** The changes by their numbers. */
  readonly changes: ReadonlyMap<number, Change>
  /** For each row, the rows that have ever named it as their parent. */
  readonly children: ReadonlyMap<string, ReadonlySet<string>>
  #fields = new Map<string, Set<string>>()
  #rows = new Map<string, Map<string, RegisterRow>>()

  constructor(history: History, changes: readonly Change[]) {
    this.changes = new Map(changes.map((change) => [change.number, change]))
    this.children = childrenEver(changes)
    for (const event of history) {
      if (event.kind !== 'shown') continue
      const fields = this.#fields.get(event.collection) ?? new Set<string>()
      for (const field of event.values?.keys() ?? []) fields.add(field)
      this.#fields.set(event.collection, fields)
    }
    for (const change of changes.toSorted((a, b) => a.number - b.number)) {
      for (const register of this.of(change)) {
        register.changes.push(change)
        if (register.isTypedIn(change) || change.device === undefined) register.takeWriter(change)
      }
    }
  }

  /** What a change writes. An 'add' writes the whole row. */
  of(change: Change): Register[] {
    const { registers } = this.row(change)
    if (change.kind === 'add') return [...registers.values()]
    return [...change.fields.keys()].flatMap((field) => registers.get(field) ?? [])
  }

  /** A change has been made: it may be the reason for a value that others set as well only from then on. */
  takeMade(change: Change): void {
    for (const register of this.of(change)) register.takeWriter(change)
    for (const register of this.completedAlong(change)) register.takeWriter(change)
  }

  /** Completing a to-do completes its subtasks, and one that became a task of its own may pass that on to its own. */
  *completedAlong({ collection, row, fields }: Written, known = new Set<string>()): Iterable<Register> {
    if (fields.get('completed') !== 1) return
    for (const child of this.children.get(row) ?? []) {
      if (known.has(child)) continue
      known.add(child)
      const register = this.row({ collection, row: child }).registers.get('completed')
      if (register) yield register
      yield* this.completedAlong({ collection, row: child, fields }, known)
    }
  }

  /** Every register that there is. */
  all(): Register[] {
    const rows = [...this.#rows.values()].flatMap((ofCollection) => [...ofCollection.values()])
    return rows.flatMap(({ registers }) => [...registers.values()])
  }

  row({ collection, row }: Pick<RegisterRow, 'collection' | 'row'>): RegisterRow {
    const ofCollection = this.#rows.get(collection) ?? new Map<string, RegisterRow>()
    this.#rows.set(collection, ofCollection)
    const known = ofCollection.get(row)
    if (known) return known
    const fields = [...(this.#fields.get(collection) ?? [])]
    const registers = new Map(fields.map((field) => [field, new Register({ collection, row }, field)]))
    const created = { collection, row, registers }
    ofCollection.set(row, created)
    return created
  }
}

/** What one page shows now. */
export class PageValues {
  #shown = new Map<Register, Value>()
  /** The values that the page set itself without ever storing them. */
  #unstored = new Map<Register, { value: unknown; isShown: boolean }[]>()

  /** From now on the page may show this value because of a change that is never stored, until it shows another one. */
  takeUnstored(register: Register, value: unknown): void {
    this.#unstored.set(register, [...(this.#unstored.get(register) ?? []), { value, isShown: false }])
  }

  /** Shows a row, or hides it if it has no values. Returns the registers whose values the page did not show just before. */
  show({ registers }: RegisterRow, values: ReadonlyMap<string, Value> | undefined): Register[] {
    const newly: Register[] = []
    for (const register of registers.values()) {
      const value = values?.get(register.field)
      if (value === undefined) this.#shown.delete(register)
      else if (value !== this.#shown.get(register)) {
        this.#shown.set(register, value)
        newly.push(register)
        this.#endUnstored(register, value)
      }
    }
    return newly
  }

  #endUnstored(register: Register, shown: Value): void {
    const unstored = (this.#unstored.get(register) ?? []).filter(
      ({ value, isShown }) => value === shown || !isShown,
    )
    for (const each of unstored) each.isShown ||= each.value === shown
    this.#unstored.set(register, unstored)
  }

  /** The value that is shown; undefined if none is. */
  shownIn(register: Register): Value | undefined {
    return this.#shown.get(register)
  }

  /**
   * Undefined if no value is shown, or one of a change that was never stored. A change elsewhere counts even if it only set what
   * the page was still showing: the page may have read it since.
   */
  writersOf(register: Register): Writers | undefined {
    const shown = this.#shown.get(register)
    if (shown === undefined || this.#unstored.get(register)?.some(({ value }) => value === shown))
      return undefined
    return register.writersOf(shown)
  }

  /** The registers of a collection that are shown. */
  *of(collection: string): Iterable<Register> {
    for (const register of this.#shown.keys()) if (register.collection === collection) yield register
  }
}
