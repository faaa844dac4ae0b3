import { instantToWire } from '#platform/calendar/day.ts'
import type { List } from '#platform/sync/list.ts'
import type { Write } from '#platform/sync/write.ts'
import { standingFromWire, timerToWire } from '../focus-timer.ts'
import type { Standing } from '../standing.ts'

/** Of one row, or of none where nobody ever started it. */
export const focusTimerList: List<Standing> = {
  name: 'focus-timer',
  path: '/api/focus/timer',
  rows(answer) {
    const standing = standingFromWire(answer)
    return standing ? [standing] : []
  },
}

export const changeFocusTimer: Write<Standing, Standing> = {
  name: 'focus.timer',
  version: 1,
  list: focusTimerList,
  apply: (_rows, standing) => [standing],
  request: ({ timer, at }) => ({
    method: 'PUT',
    path: '/api/focus/timer',
    body: { timer: timerToWire(timer), at: instantToWire(at) },
  }),
  // Each says all of it: one that is refused is no reason to lose those after it.
  subject: ({ at }) => instantToWire(at),
  refusal: 'Failed to change the timer',
  text: ({ timer }) => textOf[timer.status],
}

const textOf = {
  idle: 'Timer reset',
  running: 'Timer running',
  paused: 'Timer paused',
  finished: 'Timer finished',
} satisfies Record<Standing['timer']['status'], string>
