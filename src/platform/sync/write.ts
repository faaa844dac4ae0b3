import type { NewWrite } from './entry.ts'
import type { List } from './list.ts'
import { byServer } from './made-at.ts'

/**
 * A write as a feature declares it. It may be applied and sent more than once, so both state the wanted end:
 * `apply` to rows that already have it, `request` to a server that already did it.
 * `Vars` are plain JSON and carry the ids, instants and days they need: they are kept on the device and sent later. Where
 * they have an `at` it is the instant of the change by this device's clock, ISO 8601 in UTC; `request` is given the server's.
 */
export interface Write<Row, Vars> {
  /** Names it on the device; an entry under a name that no build knows any more cannot be sent. */
  name: string
  /** Of the shape of `Vars`. Raise it when that changes: entries of another version are set aside, not guessed at. */
  version: number
  list: List<Row>
  apply(rows: readonly Row[], vars: Vars): Row[]
  request(vars: Vars): WriteRequest
  /** That the row is not there is as it should be: it is to go, or it was there and is gone since, as what is added twice. */
  fineWhenGone?: true
  /**
   * The id of the row: its writes are sent in order, and when one is refused the later ones go with it. A write that needs
   * another row to be there, as a completion needs its habit, names that one.
   */
  subject(vars: Vars): string
  /** What the toast says when the server refuses it, such as 'Failed to update todo'. */
  refusal: string
  /** What was written, for the toast to show and 'Copy' to copy. */
  text(vars: Vars): string
  /** The text is what somebody typed: its toast stays until they have settled it. */
  typed?: true
}

export interface WriteRequest {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
}

/** Any declared write. Its own methods are only ever given variables of its own name and version. */
export type AnyWrite = Write<unknown, unknown>

/** A write with its variables as the device keeps it, where the server's clock is `ahead` as far as it is known. */
export function described<Row, Vars>(
  write: Write<Row, Vars>,
  vars: Vars,
  ahead: number | undefined,
): NewWrite {
  return {
    list: write.list.name,
    write: write.name,
    version: write.version,
    vars,
    subject: write.subject(vars),
    refusal: write.refusal,
    text: write.text(vars),
    typed: write.typed,
    at: byServer(vars, ahead),
  }
}
