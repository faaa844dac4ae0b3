import type { Change, ChangeHistory, OwnWrite, RecordedWrite } from './change-history.ts'
import type { RowToSet, Undoing } from './undoing.ts'

/** The writes of this tab that gave some parts of a row their present values. */
export interface Makers {
  own: readonly OwnWrite[]
  /** The names under which `lastTakenBack` of the history knows these parts. */
  parts: readonly string[]
}

/**
 * Finds the makers of a row. `subject`: the row that a write names; `collection`: the name of its collection; `alsoIn`: other
 * rows in which the write makes the same change.
 */
export type MakersOf = (subject: string, collection: string, alsoIn: readonly string[]) => Makers

/** The part that stands for the existence of the row. */
const existence = ''

/**
 * Finds the writes that gave a collection's rows their present values: the writes of one change, and the writes that undid or
 * redid the same parts since.
 */
export class RowMakers<Row> {
  #undoing: Undoing<Row>
  #history: ChangeHistory
  #recorded: readonly RecordedWrite<Row>[]
  #bySubject: ReadonlyMap<string, readonly RecordedWrite<Row>[]>

  constructor(undoing: Undoing<Row>, recorded: readonly RecordedWrite<Row>[], history: ChangeHistory) {
    this.#undoing = undoing
    this.#history = history
    this.#recorded = recorded
    this.#bySubject = Map.groupBy(recorded, ({ write, vars }) => write.subject(vars))
  }

  ofParts({ current }: RowToSet<Row>, parts: readonly string[]): MakersOf {
    const id = this.#undoing.idOf(current)
    const names = this.#namesOf(id, parts)
    const own = [...this.#madeBy(current), ...this.#takenBack(names)]
    return (subject, _list, alsoIn) => {
      const others = alsoIn.flatMap((other) => this.#namesOf(other, parts)).map(alsoBy)
      if (subject === id) return { own, parts: [...names, ...others] }
      // If undoing this row also writes to another row, that write has to come after the writes to this row.
      const ofOther = this.#namesOf(subject, parts)
      return { own: [...own, ...this.#takenBack([...names, ...ofOther])], parts: ofOther }
    }
  }

  /** Groups the parts to undo: parts are separate only if different writes last undid or redid them. */
  inGroups({ current, parts }: RowToSet<Row>): string[][] {
    const id = this.#undoing.idOf(current)
    const groups = Map.groupBy(parts, (part) =>
      this.#takenBack(this.#namesOf(id, [part]))
        .map(({ made }) => made.id)
        .join(),
    )
    return [...groups.values()]
  }

  /** The makers of rows that are restored. */
  ofRestored(rows: readonly Row[]): MakersOf {
    return (subject) => {
      const parts = this.#namesOf(subject, [existence])
      const own = this.#family(rows, subject).flatMap((row) => this.#madeBy(row))
      return { own: [...own, ...this.#takenBack(parts)], parts }
    }
  }

  /** The makers of rows that are removed. Removing a row takes back all writes to it. */
  ofRemoved(rows: readonly Row[]): MakersOf {
    const { collection, idOf } = this.#undoing
    return (subject) => {
      const family = this.#family(rows, subject)
      const beginnings = family.map((row) => `${collection.name} ${idOf(row)} `)
      const done = this.#history.lastTakenBack
        .entries()
        .flatMap(([name, own]) => (beginnings.some((each) => name.startsWith(each)) ? [own] : []))
      const own = family.flatMap((row) => this.#madeBy(row))
      return { own: [...own, ...done], parts: this.#namesOf(subject, [existence]) }
    }
  }

  /** The row with the id `subject`, and the rows that are restored or removed together with it. */
  #family(rows: readonly Row[], subject: string): readonly Row[] {
    const { idOf, goesWith } = this.#undoing
    return rows.filter((row) => idOf(row) === subject || goesWith?.(row) === subject)
  }

  /** The writes of the change that made a row. If none names the row, any of them may have changed it. */
  #madeBy(row: Row): readonly OwnWrite[] {
    const { idOf, goesWith } = this.#undoing
    return this.#bySubject.get(idOf(row)) ?? this.#bySubject.get(goesWith?.(row) ?? '') ?? this.#recorded
  }

  #takenBack(names: readonly string[]): OwnWrite[] {
    const { lastTakenBack } = this.#history
    return names.flatMap((name) => [name, alsoBy(name)]).flatMap((name) => lastTakenBack.get(name) ?? [])
  }

  #namesOf(id: string, parts: readonly string[]): string[] {
    const { collection, inseparable = [] } = this.#undoing
    return parts.map((part) => {
      const [first = part] = inseparable
      return `${collection.name} ${id} ${inseparable.includes(part) ? first : part}`
    })
  }
}

/** The name of a part when a write to another row sets it, kept apart from writes to the row itself. */
function alsoBy(name: string): string {
  return `${name} along`
}

/** The makers for a change whose notice performs the undo itself (`by`). Such an undo writes the same part of each row. */
export function makersOfChange({ writes }: Change, part: string, history: ChangeHistory): MakersOf {
  const name = `change ${writes[0]?.made.id}`
  const before = history.lastTakenBack.get(name) ?? []
  return (subject, collection) => {
    const ofRow = `${collection} ${subject} ${part}`
    const own = [...writes, before, history.lastTakenBack.get(ofRow) ?? []].flat()
    return { own, parts: [name, ofRow] }
  }
}

/** The most parts of rows for which the last undo or redo is remembered; older ones are forgotten. */
const mostTakenBack = 5_000

/** Remembers the write that last undid or redid some parts. */
export function noteTakenBack(
  { lastTakenBack }: ChangeHistory,
  parts: readonly string[],
  by: OwnWrite,
): void {
  for (const part of parts) {
    lastTakenBack.delete(part)
    lastTakenBack.set(part, by)
    const [oldest] = lastTakenBack.keys()
    if (oldest !== undefined && lastTakenBack.size > mostTakenBack) lastTakenBack.delete(oldest)
  }
}
