import { textOf } from '#app/testing/convergence/people/one-change.ts'
import type { Change } from '#app/testing/convergence/rules/rule.ts'
import type { History, HistoryEvent, Value } from './history.ts'

// Little histories, for the tests of those who read them.

const noon = Date.UTC(2026, 5, 1, 12)

/** Each change is made this many seconds after the one before, unless a test says otherwise. */
const between = 10

/** What a test says about a change. */
interface Told extends Partial<Pick<Change, 'kind' | 'device' | 'pressed'>> {
  /** Seconds after noon. */
  at?: number
  earliest?: number
  row?: string
  /** What it writes, by field. */
  fields?: Readonly<Record<string, Value>>
}

/** A change of a device, made at its number; by default it types into the title of the row 'tea'. */
export function change(number: number, device: number | undefined, told: Told = {}): Change {
  const at = noon + (told.at ?? number * between) * 1_000
  return {
    number,
    device,
    at,
    earliest: told.earliest === undefined ? at : noon + told.earliest * 1_000,
    collection: 'todos',
    row: told.row ?? 'tea',
    kind: told.kind ?? 'edit',
    fields: new Map(Object.entries(told.fields ?? { title: textOf(number) })),
    pressed: told.pressed,
  }
}

export function opened(page: number, device: number, stored: readonly number[] = []): HistoryEvent {
  return { kind: 'opened', page, device, stored: new Set(stored) }
}

export function made(page: number, number: number): HistoryEvent {
  return { kind: 'made', page, change: number }
}

/** A page makes a change that its device never stores. */
export function madeUnstored(page: number, change: Change): HistoryEvent {
  return { kind: 'made', page, change: change.number, writes: change }
}

/** A page shows the texts of these changes, by field, in the row 'tea' or another one. */
export function shows(page: number, texts: Readonly<Record<string, number>>, row = 'tea'): HistoryEvent {
  const values = Object.entries(texts).map(([field, number]) => [field, textOf(number)] as const)
  return showsValues(page, Object.fromEntries(values), row)
}

export function showsValues(
  page: number,
  values: Readonly<Record<string, Value>>,
  row = 'tea',
): HistoryEvent {
  return { kind: 'shown', page, collection: 'todos', row, values: new Map(Object.entries(values)) }
}

export function hides(page: number, row = 'tea'): HistoryEvent {
  return { kind: 'shown', page, collection: 'todos', row, values: undefined }
}

/** Of the pages 1, 2 and 3, each on the device of its number. */
export function ofThreePages(...events: HistoryEvent[]): History {
  return [opened(1, 1), opened(2, 2), opened(3, 3), ...events]
}
