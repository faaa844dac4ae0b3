import type { Change } from '#app/testing/convergence/rules/rule.ts'

/**
 * What the clients of one person did and showed, in the order in which it happened. A page is one life of a tab: it begins when
 * the tab is opened and ends when it is closed or killed.
 */
export type History = readonly HistoryEvent[]

export type HistoryEvent =
  | {
      kind: 'opened'
      page: number
      device: number
      /** The numbers of the changes that the device's store had taken by then, for this or another page. */
      stored: ReadonlySet<number>
    }
  | {
      kind: 'made'
      page: number
      change: number
      /** What it writes: a change that is never stored, since its page is killed first, is not among the changes. */
      writes?: Written
    }
  | ({ kind: 'shown'; page: number } & ShownRow)

export type Written = Pick<Change, 'collection' | 'row' | 'fields'>

/** A row as a page shows it from now on. */
export interface ShownRow {
  collection: string
  row: string
  /** What the row's fields show, as far as that can be traced to changes. Undefined if the page no longer shows the row. */
  values: ReadonlyMap<string, Value> | undefined
}

/** A text, or whatever else a person sets. */
export type Value = string | number | null
