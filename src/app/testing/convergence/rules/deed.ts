import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'

/** What a change does to a repeating to-do. */
export type Deed = { on: DeviceDay } & (
  | { does: 'settle'; day: Day; state: 'done' | 'skipped' | 'open'; done_on: Day | null }
  /** Completes without naming an occurrence. `done_on` is set if the change names the day of completion, as an undo does. */
  | { does: 'complete'; completed: 0 | 1; done_on?: Day }
  /** `day` is the occurrence, if the client names it. */
  | { does: 'move'; due_day: Day | null; day?: Day }
  | { does: 'rule'; rule: RepeatRule | null }
)

/** The day and calendar of the device when it made the change. */
export interface DeviceDay extends Calendar {
  today: Day
  /** The device's own time. */
  now: Instant
}

export interface Calendar {
  time_zone: string
  day_start: number
}
