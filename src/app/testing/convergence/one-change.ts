import { type Day, dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { AccountSync } from '#platform/sync/account-sync.ts'
import type { Write } from '#platform/sync/write.ts'
import { newRowId } from '#platform/wire/new-row-id.ts'
import type { Change } from './rule.ts'

/** Where and when a change was made. */
export type Made = Pick<Change, 'number' | 'device' | 'at' | 'earliest'>

/** A change that is ready to be queued. */
export interface Doing extends Change {
  queue(sync: AccountSync): Promise<boolean>
}

/** What is typed where a change is one of text; nobody types the same twice. */
export function textOf(number: number): string {
  return `change ${number}`
}

/** The number of the change by which a write was queued. */
export function numberOf(vars: unknown): number {
  if (
    typeof vars === 'object' &&
    vars !== null &&
    'changeNumber' in vars &&
    typeof vars.changeNumber === 'number'
  ) {
    return vars.changeNumber
  }
  throw new Error('Every write of a schedule has a number')
}

/** What is the same about a change, whatever it is of. */
export class OneChange {
  number: number
  text: string
  instant: Instant
  at: string
  today: Day
  #made: Made

  /** `said`: when it was made, by the clock of the device. */
  constructor(made: Made, said: Instant) {
    this.#made = made
    this.number = made.number
    this.text = textOf(made.number)
    this.instant = said
    this.at = instantToWire(said)
    this.today = dayOf(said, 'UTC', 0)
  }

  newId(): string {
    return newRowId(this.instant, crypto.getRandomValues(new Uint8Array(10)))
  }

  /** The number goes with the variables through whatever the device does with them; it is not sent. */
  doing<Row, Vars extends object>(
    does: Change['does'],
    write: Write<Row, Vars>,
    row: string,
    vars: Vars,
    fields: Record<string, unknown> = {},
  ): Doing {
    const numbered = { ...vars, changeNumber: this.number }
    return {
      ...this.#made,
      list: write.list.name,
      row,
      does,
      fields: new Map(Object.entries(fields)),
      queue: (sync) => sync.write(write, numbered),
    }
  }
}
