import type { Day } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import { dayKey, type ReadHabit, type ReadRow } from './reading.ts'

type DaysOf = 'completions' | 'skips' | 'notes' | 'amounts'

/** What an entry of a day becomes in the import. */
type Outcome = Pick<ReadRow, 'becomes' | 'changed' | 'refused'>

/** Collects the days of a habit, which a file may have in any order and with several entries a day. */
export class DaysOfHabit {
  readonly key: string
  readonly #isCounted: boolean
  readonly #today: Day
  readonly #amounts = new Map<Day, number>()
  readonly #skips = new Set<Day>()
  readonly #notes = new Map<Day, string>()

  /** `isCounted`: whether the habit has amounts rather than ticks. */
  constructor(key: string, { isCounted, today }: { isCounted: boolean; today: Day }) {
    this.key = key
    this.#isCounted = isCounted
    this.#today = today
  }

  /** Adds an entry. `amount` is in thousandths. Amounts on one day add up; an amount of 0 is also an entry. */
  done(day: Day, amount: number, note = ''): Outcome {
    if (day > this.#today) return { changed: [], refused: notYet }
    this.#note(day, note)
    const before = this.#amounts.get(day)
    this.#amounts.set(day, (before ?? 0) + amount)
    const isAgain = before !== undefined && !this.#isCounted
    const changed = isAgain ? ['The day is done already: this habit is ticked once a day'] : []
    return { becomes: dayKey(this.key, day), changed }
  }

  skipped(day: Day, note = ''): Outcome {
    this.#note(day, note)
    this.#skips.add(day)
    return { becomes: dayKey(this.key, day), changed: [] }
  }

  /** Adds the note of a day that was missed. A missed day without a note needs no row, so the result is undefined. */
  undone(day: Day, note = ''): Outcome | undefined {
    if (note === '') return undefined
    this.#note(day, note)
    return { becomes: dayKey(this.key, day), changed: [] }
  }

  /** The habit with its days. Its start is moved back to the earliest of these days if necessary. */
  of(habit: Omit<ReadHabit, DaysOf | 'key'>): ReadHabit {
    const amounts = [...this.#amounts].map(([day, value]) => ({ day, value })).sort(byDay)
    const skips = [...this.#skips].filter((day) => !this.#amounts.has(day)).sort()
    const start = [habit.start, ...amounts.map(({ day }) => day), ...skips].sort()[0] ?? habit.start
    return {
      ...habit,
      key: this.key,
      start,
      completions: this.#isCounted ? [] : amounts.map(({ day }) => day),
      skips,
      notes: [...this.#notes].map(([day, note]) => ({ day, note })).sort(byDay),
      amounts: this.#isCounted ? amounts : [],
    }
  }

  #note(day: Day, note: string): void {
    if (note === '') return
    const before = this.#notes.get(day)
    this.#notes.set(day, before === undefined ? note : `${before}\n${note}`)
  }
}

/**
 * A sentence that says on how many days nothing was done. Some apps write a row for every such day since the habit began; such
 * rows are not counted as rows of the file.
 */
export function notDone(days: number): string[] {
  if (days === 0) return []
  return [`Not counted as rows: ${counted(days, 'day')} on which nothing was done.`]
}

const notYet = "This day hasn't come yet"

export function byDay(one: { day: Day }, other: { day: Day }): number {
  return one.day < other.day ? -1 : 1
}
