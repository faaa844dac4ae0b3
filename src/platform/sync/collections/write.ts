import type { Instant } from '#platform/calendar/day.ts'
import { deviceTimeOf, toServerTime } from '../local-store/change-timestamp.ts'
import type { WriteDescription } from '../local-store/queued-write.ts'
import type { Collection } from './collection.ts'

/**
 * A write as a feature declares it. It may be applied and sent more than once, so `apply` and `request` state the wanted result
 * and are idempotent: `apply` on rows that already have the change, `request` on a server that has already made it.
 * `Vars` are plain JSON and carry the ids, instants and days they need: they are stored on the device and sent later. If they
 * have an `at`, it is the instant of the change by this device's clock, ISO 8601 in UTC; `request` gets it by the server's clock.
 */
export interface Write<Row, Vars> {
  /** Name in the local store. A queued write cannot be sent once the build no longer knows its name. */
  name: string
  /** Version of the shape of `Vars`. Raise it when the shape changes: writes of other versions are held back, not guessed at. */
  version: number
  collection: Collection<Row>
  apply(rows: readonly Row[], vars: Vars): Row[]
  request(vars: Vars): WriteRequest
  /** A missing row counts as success: the write deletes the row, or it added the row, which has been deleted since. */
  fineWhenGone?: true
  /** True if no press caused the write. The person is then not told when a later change wins. */
  isAutomatic?(vars: Vars): boolean
  /**
   * Only for writes whose variables hold instants by the server's clock. Fetches a function that corrects these instants, for a
   * write that was made while the server's clock was not known.
   */
  moving?(): Promise<Moving<Vars>>
  /** Only for the write that undoes a deletion: returns its variables for a row as it was. */
  restores?(row: Row, at: string): Vars
  /**
   * The id of the row. Writes to one row are sent in order, and if one is refused, the later ones are dropped with it. A write
   * that needs another row to exist, as a completion needs its habit, names that row.
   */
  subject(vars: Vars): string
  /** Title of the toast when the server refuses the write, such as 'Failed to update todo'. */
  refusal: string
  /** The text of the change. If the server refuses the write, the toast shows this text and 'Copy' copies it. */
  text(vars: Vars): string
  /** Set if the person typed the text: the toast then stays until they have dealt with it. */
  typed?: true
}

export interface Moving<Vars> {
  moved(vars: Vars, move: (at: Instant) => Instant): Vars
}

export interface WriteRequest {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
}

/** Any declared write. Its methods only ever get variables of its own name and version. */
export type AnyWrite = Write<unknown, unknown>

/**
 * Queues a write and shows it at once. Resolves with true once it is durable on the device, or with false if it could not be
 * stored: it is then no longer shown, and the person has been told. Never rejects.
 */
export type QueueWrite = <Row, Vars>(write: Write<Row, Vars>, vars: Vars) => Promise<boolean>

/** What is known about the time when a write is queued. */
export interface WriteTime {
  /** How far the server's clock is ahead, in milliseconds; undefined while only a response can tell. */
  ahead: number | undefined
  guess: { ahead: number; since: Instant; page: string }
  /** The instant that the write must not precede, by the server's clock. */
  after: Instant | undefined
}

/** A write with its variables, ready to be queued. */
export function describeWrite<Row, Vars>(
  write: Write<Row, Vars>,
  vars: Vars,
  { ahead, guess, after }: WriteTime,
): WriteDescription {
  const made = deviceTimeOf(vars)
  const isProvisional = ahead === undefined && (made !== undefined || write.moving !== undefined)
  return {
    list: write.collection.name,
    write: write.name,
    version: write.version,
    vars,
    subject: write.subject(vars),
    refusal: write.refusal,
    text: write.text(vars),
    typed: write.typed,
    at: made === undefined || ahead === undefined ? undefined : toServerTime(made, ahead, after),
    ...(isProvisional && { guess, after }),
  }
}
