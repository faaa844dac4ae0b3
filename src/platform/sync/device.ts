import type { Entry, KeptList, NewEntry, Notice } from './entry.ts'

/** All that the device knows of an account, as of one moment. */
export interface Known {
  entries: Entry[]
  notices: Notice[]
  /** Only those read later than the caller has seen. */
  lists: KeptList[]
  /** What is kept of the account under a name, and is nobody else's business. */
  values: ReadonlyMap<string, unknown>
}

/** A kept value as it becomes, and the writes that go with it. */
export interface Step {
  value: unknown
  entries: readonly NewEntry[]
}

/** What a tab knows of an account while the device knows it no more. */
export interface Remembered {
  entries: readonly Entry[]
  notices: readonly Notice[]
  values: ReadonlyMap<string, unknown>
  /** For each list, the tick of the read that the tab has. */
  reads: ReadonlyMap<string, number>
}

/**
 * What keeps the writes and the last known lists of this browser. Each call is one transaction.
 *
 * Every account has a clock of its own that counts adds, acknowledgements and starts of reads; it orders them across
 * tabs, where the time of day could not. And it has a life, which ends when the account is wiped: a call on behalf of
 * an ended life does nothing and answers undefined, so that a slow tab cannot bring back what was forgotten.
 * A rejection means the device could not do it.
 */
export interface Device {
  /** False: only kept in memory, gone with the tab. */
  readonly durable: boolean
  /** Resolves when a newer build has taken the store over from another tab: this one cannot use it any more. */
  readonly outdated: Promise<void>
  /** The listener hears when the browser has closed the store: it may have taken away what was in it. */
  whenClosed(listener: () => void): void
  /** Begins the account's life where it has none. */
  open(account: string): Promise<Known & { life: string }>
  /**
   * For a life that is not there any more: undefined where the account was wiped. Otherwise the browser took it away, and
   * what the tab remembers is put back, once whichever tabs remember it. Answers the life that goes on, and how many of
   * the tab's unsent writes are in it.
   */
  revive(
    account: string,
    life: string,
    remembered: Remembered,
  ): Promise<(Known & { life: string; unsent: number }) | undefined>
  /** `since`: for each list, the tick of the read that the caller has. */
  reread(account: string, life: string, since: ReadonlyMap<string, number>): Promise<Known | undefined>
  /** On the disk when it resolves. `instead`: the notice that these writes were tried again from. */
  add(
    account: string,
    life: string,
    entries: readonly NewEntry[],
    instead?: number,
  ): Promise<Entry[] | undefined>
  /**
   * Changes a kept value by what it is at that moment, whatever other tabs did before; it and the writes are on the disk.
   * `list`: the step is handed what the server last answered of it, unless there is a write which that has not seen.
   */
  change(
    account: string,
    life: string,
    name: string,
    step: (stored: unknown, answer: unknown) => Step,
    list?: string,
  ): Promise<{ value: unknown; placed: Entry[] } | undefined>
  /** Dates the writes that are not, now that it is known how far the server's clock is ahead. Answers how many those were. */
  date(account: string, life: string, ahead: number): Promise<number | undefined>
  /** The server said yes to these. Answers the tick. */
  acknowledge(account: string, life: string, seqs: readonly number[]): Promise<number | undefined>
  /** Takes a write and its followers out, and keeps the notice of it unless `reason` is undefined. */
  takeOut(account: string, life: string, entry: Entry, told?: Told): Promise<Taken | undefined>
  /** Answers the tick of a read that is about to start. */
  startRead(account: string, life: string): Promise<number | undefined>
  /** Keeps an answer and drops the writes it has seen, unless a later read is kept: then that one is answered. */
  keepRead(
    account: string,
    life: string,
    list: string,
    answer: unknown,
    tick: number,
  ): Promise<KeptList | undefined>
  dismiss(account: string, notice: number): Promise<void>
  /** Forgets everything of the account and ends its life. */
  wipe(account: string): Promise<void>
  /**
   * For browsers without locks: true while `holder` may do what is done `inTurn`, until `until` (epoch milliseconds) unless
   * renewed. Nobody has a turn of an account that was forgotten.
   */
  takeTurn(account: string, inTurn: InTurn, holder: string, now: number, until: number): Promise<boolean>
}

/** What one tab at a time does for all tabs of an account. */
export const inTurns = ['send', 'live'] as const
export type InTurn = (typeof inTurns)[number]

export interface Told {
  reason: string
  retriable: boolean
}

export interface Taken {
  gone: Entry[]
  notice: Notice | undefined
}

/** The latest that the account's clock has said to a tab, as far as it remembers. */
export function latestTick({ entries, notices, reads }: Remembered): number {
  return Math.max(
    0,
    ...entries.map(({ seq, acknowledged = 0 }) => Math.max(seq, acknowledged)),
    ...notices.map(({ id }) => id),
    ...reads.values(),
  )
}
