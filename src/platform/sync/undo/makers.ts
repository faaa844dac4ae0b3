import type { Change, ChangeHistory, OwnWrite, RecordedWrite } from './change-history.ts'
import type { RowToSet, Undoing } from './undoing.ts'

/** What made some parts of a row what they are, of all that this tab did. */
export interface Makers {
  own: readonly OwnWrite[]
  /** The names of the parts in the history. */
  parts: readonly string[]
}

/** By the row that a write names as its subject, the collection that it is in, and the rows in which it says the same. */
export type MakersOf = (subject: string, collection: string, alsoIn: readonly string[]) => Makers

/** Whether there is such a row. */
const existence = ''

/** Finds out what made the rows of a collection what they are: the writes of one change, and what undid or redid the same since. */
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
      // What is said of another row because of this one comes after it.
      const ofOther = this.#namesOf(subject, parts)
      return { own: [...own, ...this.#takenBack([...names, ...ofOther])], parts: ofOther }
    }
  }

  /** The parts that are undone together: nothing that this tab did made only some of them what they are. */
  inGroups({ current, parts }: RowToSet<Row>): string[][] {
    const id = this.#undoing.idOf(current)
    const groups = Map.groupBy(parts, (part) =>
      this.#takenBack(this.#namesOf(id, [part]))
        .map(({ made }) => made.id)
        .join(),
    )
    return [...groups.values()]
  }

  /** Of rows that are restored. */
  ofRestored(rows: readonly Row[]): MakersOf {
    return (subject) => {
      const parts = this.#namesOf(subject, [existence])
      const own = this.#family(rows, subject).flatMap((row) => this.#madeBy(row))
      return { own: [...own, ...this.#takenBack(parts)], parts }
    }
  }

  /** Of rows that are removed: whoever removes one takes back all that was done to it. */
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

  /** With the rows that go with it. */
  #family(rows: readonly Row[], subject: string): readonly Row[] {
    const { idOf, goesWith } = this.#undoing
    return rows.filter((row) => idOf(row) === subject || goesWith?.(row) === subject)
  }

  /** One write may change several rows. */
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

/** A part as a write to another row says it, beside what was said of it alone. */
function alsoBy(name: string): string {
  return `${name} along`
}

/** Of a whole change, for what names its own way back: that writes the same part of each row. */
export function makersOfChange({ writes }: Change, part: string, history: ChangeHistory): MakersOf {
  const name = `change ${writes[0]?.made.id}`
  const before = history.lastTakenBack.get(name) ?? []
  return (subject, collection) => {
    const ofRow = `${collection} ${subject} ${part}`
    const own = [...writes, before, history.lastTakenBack.get(ofRow) ?? []].flat()
    return { own, parts: [name, ofRow] }
  }
}

/** Of older ones nothing is undone any more. */
const mostTakenBack = 5_000

/** Keeps what undid or redid some parts last. */
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
