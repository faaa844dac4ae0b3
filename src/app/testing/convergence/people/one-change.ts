import { type Day, dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { AccountSync } from '#platform/sync/account/account-sync.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import type { Change } from '../rules/rule.ts'

/** Where and when a change was made. */
export type ChangeOrigin = Pick<Change, 'number' | 'device' | 'at' | 'earliest'>

/** A change that is ready to be queued. */
export interface QueueableChange extends Change {
  queue(sync: AccountSync): Promise<boolean>
}

/** The text that a change types; no two changes type the same. */
export function textOf(number: number): string {
  return `change ${number}`
}

/** The number of the change that queued a write. */
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

/** Builds the parts that all changes have in common. */
export class ChangeBuilder {
  number: number
  text: string
  instant: Instant
  at: string
  today: Day
  #origin: ChangeOrigin

  /** `deviceTime` is when the change was made, by the device's clock. */
  constructor(origin: ChangeOrigin, deviceTime: Instant) {
    this.#origin = origin
    this.number = origin.number
    this.text = textOf(origin.number)
    this.instant = deviceTime
    this.at = instantToWire(deviceTime)
    this.today = dayOf(deviceTime, 'UTC', 0)
  }

  newId(): string {
    return newRowId(this.instant, crypto.getRandomValues(new Uint8Array(10)))
  }

  /** Builds a change. Its number stays with the variables on the device and is not sent. */
  build<Row, Vars extends object>(
    kind: Change['kind'],
    write: Write<Row, Vars>,
    row: string,
    vars: Vars,
    fields: Record<string, unknown> = {},
  ): QueueableChange {
    const numbered = { ...vars, changeNumber: this.number }
    return {
      ...this.#origin,
      collection: write.collection.name,
      row,
      kind,
      fields: new Map(Object.entries(fields)),
      queue: (sync) => sync.write(write, numbered),
    }
  }
}
