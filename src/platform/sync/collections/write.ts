import type { Instant } from '#platform/calendar/day.ts'
import { deviceTimeOf, toServerTime } from '../local-store/change-timestamp.ts'
import type { WriteDescription } from '../local-store/queued-write.ts'
import type { Collection } from './collection.ts'

/**
 * A write as a feature declares it. It may be applied and sent more than once, so both state the wanted result and are
 * idempotent: `apply` on rows that already have the change, `request` on a server that has already made it.
 * `Vars` are plain JSON and carry the ids, instants and days they need: they are stored on the device and sent later. If
 * they have an `at`, it is the instant of the change by this device's clock, ISO 8601 in UTC; `request` gets it by the
 * server's clock.
 */
export interface Write<Row, Vars> {
  /** Its name in the local store. A queued write whose name the build no longer knows cannot be sent. */
  name: string
  /** The version of the shape of `Vars`. Raise it when that changes: other versions are held back, not guessed at. */
  version: number
  collection: Collection<Row>
  apply(rows: readonly Row[], vars: Vars): Row[]
  request(vars: Vars): WriteRequest
  /** A missing row counts as success: the write deletes it, or added it and it has been deleted since. */
  fineWhenGone?: true
  /** Whether nobody pressed for it: its person is not told that a later change stands. */
  isAutomatic?(vars: Vars): boolean
  /**
   * Only of a write whose variables hold instants by the server's clock: fetches what returns the same with those where they stand,
   * for when that clock was not known as the write was made.
   */
  moving?(): Promise<Moving<Vars>>
  /** Only of the write that undoes a deletion: its variables for a row as it was. */
  restores?(row: Row, at: string): Vars
  /**
   * The id of the row: its writes are sent in order, and if one is refused, the later ones are dropped with it. A write
   * that needs another row to exist, as a completion needs its habit, names that row.
   */
  subject(vars: Vars): string
  /** The title of the toast when the server refuses it, such as 'Failed to update todo'. */
  refusal: string
  /** What was written; the toast shows it and 'Copy' copies it. */
  text(vars: Vars): string
  /** The person typed the text: its toast stays until they have dealt with it. */
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
 * Queues a write and shows it at once. Resolves with true once it is durable on the device, or with false if it could not
 * be stored: it is then no longer shown, and the person has been told. Never rejects.
 */
export type QueueWrite = <Row, Vars>(write: Write<Row, Vars>, vars: Vars) => Promise<boolean>

/** What is known of the time when a write is queued. */
export interface WriteTime {
  /** How far the server's clock is ahead; undefined while only a response can tell. */
  ahead: number | undefined
  guess: { ahead: number; since: Instant; page: string }
  /** What it comes after, by the server's clock. */
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
