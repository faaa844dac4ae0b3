import { type QueryKey, replaceEqualDeep } from '@tanstack/react-query'
import type { Answer } from './answer.ts'
import { Troubled, troubleOf } from './trouble.ts'

/** What the server said of a list, and when that was asked on the account's own clock. */
export interface Base<Row> {
  rows: Row[]
  tick: number
}

/** A read that brought nothing to show. */
export class ReadFailure extends Troubled {
  override name = 'ReadFailure'
  /** There was no answer: trying again may help. */
  passing: boolean
  retryAfter: number | undefined

  constructor(answer: Exclude<Answer, { kind: 'done' }>) {
    super(answer.kind === 'refused' ? answer.failure.message : answer.kind, troubleOf(answer))
    this.passing = answer.kind === 'none'
    this.retryAfter = answer.kind === 'none' ? answer.retryAfter : undefined
  }
}

export function listKey(account: string, list?: string): QueryKey {
  return list === undefined ? ['lists', account] : ['lists', account, list]
}

/** How the cache keeps every list of an account. */
export const listDefaults = {
  staleTime: 60_000,
  gcTime: Number.POSITIVE_INFINITY,
  // Without a connection a read fails at once instead of waiting unseen; the last known rows are shown anyway.
  networkMode: 'always',
  refetchOnReconnect: 'always',
  retry: (failures: number, error: Error) =>
    error instanceof ReadFailure && error.passing && failures < 3 && navigator.onLine !== false,
  retryDelay: (failures: number, error: Error) =>
    (error instanceof ReadFailure ? error.retryAfter : undefined) ?? 1000 * 2 ** failures,
  structuralSharing: keepLater,
} as const

/** A read that started earlier never takes the place of a later one, whichever arrives last. */
function keepLater(known: unknown, arrived: unknown): unknown {
  if (isBase(known) && isBase(arrived) && known.tick > arrived.tick) return known
  return replaceEqualDeep(known, arrived)
}

function isBase(data: unknown): data is Base<unknown> {
  return typeof data === 'object' && data !== null && 'tick' in data && typeof data.tick === 'number'
}
