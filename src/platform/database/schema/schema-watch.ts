/**
 * Whether this program knows the tables that it works on.
 * 'updating': another process is changing them at this moment.
 * 'newer': a newer program has changed them, for good.
 */
export type SchemaState = 'current' | 'updating' | 'newer'

/** Thrown when a write was not stored, because another version of the program has changed the tables. */
export class SchemaMoved extends Error {
  readonly state: Exclude<SchemaState, 'current'>

  constructor(state: Exclude<SchemaState, 'current'>) {
    super(`The tables are being changed by another Daymark: ${state}`)
    this.state = state
  }
}

export interface Schema {
  state(): SchemaState
  /** Checks now. Rejects if the database cannot be read. */
  check(): Promise<SchemaState>
  /** Calls the listener once when a newer program has changed the tables; at once if that has already happened. */
  onNewer(listener: () => void): void
}

/** Milliseconds between two checks. Writes do not depend on them: each write is checked when it commits. */
const lookEvery = 1_000

/** Notices when a newer version of the program changes the tables of the database. */
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
      // Ignore the error: other code reports a database that cannot be read.
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

  /** Records a schema state that a check or a refused commit found. Returns the state that counts from now on. */
  saw(state: SchemaState): SchemaState {
    // A newer database never becomes older again under a running program.
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
