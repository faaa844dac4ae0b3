import { type QueryKey, replaceEqualDeep } from '@tanstack/react-query'
import type { ReadState } from '../local-store/local-store.ts'
import type { RequestResult } from '../network/request.ts'
import { RequestProblemError, requestProblemOf } from '../network/request-problem.ts'
import type { Collection } from './collection.ts'
import { sharedRows } from './shared-rows.ts'

/** The rows of a collection as the server had them, and the tick at which the read started. Ticks order reads and writes. */
export interface ServerSnapshot<Row, Totals = unknown> extends ReadState {
  rows: readonly Row[]
  /** The totals of rows that the response leaves out; undefined if it leaves none out or if this build can't read them. */
  totals: Totals | undefined
}

export function snapshotOf<Row, Totals>(
  collection: Collection<Row, Totals>,
  response: unknown,
  { tick, tag }: ReadState,
): ServerSnapshot<Row, Totals> {
  return { rows: collection.rows(response), totals: collection.totals?.(response), tick, tag }
}

/** Thrown when a read got no rows. */
export class ReadFailure extends RequestProblemError {
  override name = 'ReadFailure'
  /** True if there was no response: trying again may help. */
  retriable: boolean
  retryAfter: number | undefined

  constructor(result: Exclude<RequestResult, { kind: 'done' }>) {
    super(result.kind === 'refused' ? result.failure.message : result.kind, requestProblemOf(result))
    this.retriable = result.kind === 'none'
    this.retryAfter = result.kind === 'none' ? result.retryAfter : undefined
  }
}

export function collectionKey(account: string, name?: string): QueryKey {
  return name === undefined ? ['collections', account] : ['collections', account, name]
}

/** How the query cache treats every collection of an account. */
export const collectionQueryDefaults = {
  staleTime: 60_000,
  gcTime: Number.POSITIVE_INFINITY,
  // Without a connection, a read fails at once instead of waiting silently; the last known rows are shown anyway.
  networkMode: 'always',
  refetchOnReconnect: 'always',
  retry: (failures: number, error: Error) =>
    error instanceof ReadFailure && error.retriable && failures < 3 && navigator.onLine !== false,
  retryDelay: (failures: number, error: Error) =>
    (error instanceof ReadFailure ? error.retryAfter : undefined) ?? 1000 * 2 ** failures,
  structuralSharing: keepLater,
} as const

/** A read that started earlier never replaces a later one, whichever arrives last. */
function keepLater(current: unknown, incoming: unknown): unknown {
  if (!isSnapshot(current) || !isSnapshot(incoming)) return replaceEqualDeep(current, incoming)
  if (current.tick > incoming.tick) return current
  // Not `replaceEqualDeep` for the rows: it compares them by their places, and copies those that have moved.
  const rows = sharedRows(current.rows, incoming.rows)
  const totals = replaceEqualDeep(current.totals, incoming.totals)
  const isSame = rows === current.rows && totals === current.totals
  return isSame && current.tick === incoming.tick && current.tag === incoming.tag
    ? current
    : { ...incoming, rows, totals }
}

function isSnapshot(data: unknown): data is ServerSnapshot<unknown> {
  return Array.isArray(Reflect.get(Object(data), 'rows'))
}
