import type { Application } from '#app/testing/application.ts'
import type { Instant } from '#platform/calendar/day.ts'

/** One of the processes that serve a database, with a clock of its own. */
export interface ServerProcess {
  daymark: Application
  clock(): Instant
}
