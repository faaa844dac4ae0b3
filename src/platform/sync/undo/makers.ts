import type { Change, ChangeHistory, OwnWrite, RecordedWrite } from './change-history.ts'
import type { RowToSet, Undoing } from './undoing.ts'

/** What made some parts of a row what they are, of all that this tab did. */
export interface Makers {
  own: readonly OwnWrite[]
  /** The names of the parts in the history. */
  parts: readonly string[]
}

/** By the row that a write names as its subject, and the collection that it is in. */
export type MakersOf = (subject: string, list: string) => Makers

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
    const names = parts.map((part) => this.#nameOf(current, part))
    const own = [...this.#madeBy(current), ...this.#takenBack(names)]
    return () => ({ own, parts: names })
  }

  /** The parts that are put back together: nothing of this tab made only some of them what they are. */
  inGroups({ current, parts }: RowToSet<Row>): string[][] {
    const groups = Map.groupBy(
      parts,
      (part) => this.#history.lastTakenBack.get(this.#nameOf(current, part))?.made.id,
    )
    return [...groups.values()]
  }

  /** Of rows that are restored. */
  ofRestored(rows: readonly Row[]): MakersOf {
    return (subject) => {
      const parts = [this.#nameOfPart(subject, existence)]
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
      return { own: [...own, ...done], parts: [this.#nameOfPart(subject, existence)] }
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
    return names.flatMap((name) => this.#history.lastTakenBack.get(name) ?? [])
  }

  #nameOf(row: Row, part: string): string {
    const { idOf, inseparable = [] } = this.#undoing
    const [first = part] = inseparable
    return this.#nameOfPart(idOf(row), inseparable.includes(part) ? first : part)
  }

  #nameOfPart(id: string, part: string): string {
    return `${this.#undoing.collection.name} ${id} ${part}`
  }
}

/** Of a whole change, for what names its own way back: that writes the same part of each row. */
export function makersOfChange({ writes }: Change, part: string, history: ChangeHistory): MakersOf {
  const name = `change ${writes[0]?.made.id}`
  const before = history.lastTakenBack.get(name) ?? []
  return (subject, list) => {
    const ofRow = `${list} ${subject} ${part}`
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
