import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'

/** What a change does to a to-do that repeats. */
export type Deed = { on: DeviceDay } & (
  | { does: 'settle'; day: Day; state: 'done' | 'skipped' | 'open'; done_on: Day | null }
  /** Without naming an occurrence. `done_on`: if it isn't today, because an undo says that it was done before. */
  | { does: 'complete'; completed: 0 | 1; done_on?: Day }
  /** `day`: the occurrence, if the client names it. */
  | { does: 'move'; due_day: Day | null; day?: Day }
  | { does: 'rule'; rule: RepeatRule | null }
)

/** What its device took for today. */
export interface DeviceDay extends Calendar {
  today: Day
  /** By its own clock. */
  now: Instant
}

export interface Calendar {
  time_zone: string
  day_start: number
}
