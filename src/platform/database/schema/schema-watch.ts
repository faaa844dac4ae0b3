/**
 * Whether this program knows the tables that it works on. 'updating': another process is changing them at this moment.
 * 'newer': a newer program has changed them, for good.
 */
export type SchemaState = 'current' | 'updating' | 'newer'

/** A write was not stored, because the tables are not those that this program was made for. */
export class SchemaMoved extends Error {
  readonly state: Exclude<SchemaState, 'current'>

  constructor(state: Exclude<SchemaState, 'current'>) {
    super(`The tables are being changed by another Daymark: ${state}`)
    this.state = state
  }
}

export interface Schema {
  state(): SchemaState
  /** Looks now. Rejects when the database cannot be read. */
  check(): Promise<SchemaState>
  /** Calls once, when a newer program has changed the tables; at once if it has already. */
  onNewer(listener: () => void): void
}

/** Milliseconds between two looks. Writes do not depend on them: each is checked as it is committed. */
const lookEvery = 1_000

/** Two programs of different versions may meet on one database: the older one has to notice. */
export class SchemaWatch implements Schema {
  readonly #look: () => Promise<SchemaState>
  readonly #timer: NodeJS.Timeout
  readonly #listeners = new Set<() => void>()
  #state: SchemaState = 'current'
  #looking: Promise<SchemaState> | undefined
  #stopped = false

  constructor(look: () => Promise<SchemaState>) {
    this.#look = look
    this.#timer = setInterval(() => {
      // A database that cannot be read is for others to report.
      this.check().catch(() => {})
    }, lookEvery).unref()
  }

  state(): SchemaState {
    return this.#state
  }

  check(): Promise<SchemaState> {
    if (this.#stopped || this.#state === 'newer') return Promise.resolve(this.#state)
    this.#looking ??= this.#look()
      .then((state) => this.saw(state))
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  /** To be told whenever somebody finds out. */
  saw(state: SchemaState): SchemaState {
    // What is newer never becomes older again under a running program.
    if (this.#state === 'newer' || this.#stopped) return this.#state
    this.#state = state
    if (state === 'newer') {
      this.stop()
      for (const listener of this.#listeners) listener()
    }
    return state
  }

  onNewer(listener: () => void): void {
    if (this.#state === 'newer') listener()
    else this.#listeners.add(listener)
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
  }
}
