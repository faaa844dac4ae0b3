import type { List } from './list.ts'

/**
 * A write as a feature declares it. It may be applied and sent more than once, so both state the wanted end:
 * `apply` to rows that already have it, `request` to a server that already did it.
 * `Vars` are plain JSON and carry the ids, instants and days they need: they are kept on the device and sent later.
 */
export interface Write<Row, Vars> {
  /** Names it on the device; an entry under a name that no build knows any more cannot be sent. */
  name: string
  /** Of the shape of `Vars`. Raise it when that changes: entries of another version are set aside, not guessed at. */
  version: number
  list: List<Row>
  apply(rows: readonly Row[], vars: Vars): Row[]
  request(vars: Vars): WriteRequest
  /** The id of the row: when a write is refused, the later ones on the same row go with it. */
  subject(vars: Vars): string
  /** What the toast says when the server refuses it, such as 'Failed to update todo'. */
  refusal: string
  /** What was written, for the toast to show and 'Copy' to copy. */
  text(vars: Vars): string
}

export interface WriteRequest {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
}

/** Any declared write. Its own methods are only ever given variables of its own name and version. */
export type AnyWrite = Write<unknown, unknown>
