import type { Application, TestRequest } from '#app/testing/application.ts'
import type { Instant } from '#platform/calendar/day.ts'

/** One of the processes that serve a database, with a clock of its own. It may be simulated in this process, or a real one. */
export interface ServerProcess {
  /** Rejects with a `BrokenConnection` if the process is gone. */
  ask: Application['ask']
  clock(): Instant
  /** Opens a stream of events. A real process has some. */
  openStream?(path: string, request: TestRequest, signal: AbortSignal): Promise<Response>
  /** Whether it answers 503, because it has only just begun. */
  readonly isStarting?: boolean
}

/** There is no response, and nobody knows whether the request was handled. */
export class BrokenConnection extends TypeError {}
