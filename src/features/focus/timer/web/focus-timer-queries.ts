import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import { standingFromWire, timerToWire } from '../focus-timer.ts'
import { moved } from '../timer.ts'
import type { StandingTimer } from '../timer-merge.ts'

/** Contains one row, or none if the user never started the timer. */
export const focusTimerList: Collection<StandingTimer> = {
  name: 'focus-phases',
  path: '/api/focus/timer',
  // Without this header, a server of the previous version returns an idle timer while a phase is running. Can go with the next
  // version.
  headers: { 'daymark-timer': 'phases' },
  rows(response) {
    const standing = standingFromWire(response)
    return standing ? [standing] : []
  },
}

export const changeFocusTimer: Write<StandingTimer, StandingTimer> = {
  name: 'focus.phase',
  version: 1,
  collection: focusTimerList,
  apply: (_rows, standing) => [standing],
  moving: async () => ({ moved: movedStanding }),
  request: ({ timer, at }) => ({
    method: 'PUT',
    path: '/api/focus/timer',
    body: { timer: timerToWire(timer), at: instantToWire(at) },
  }),
  // Each write contains the whole timer, so a rejected write must not discard later writes. Each write therefore has a subject of
  // its own.
  subject: ({ at }) => instantToWire(at),
  refusal: 'Failed to change the timer',
  text: ({ timer }) => textOf[timer.status],
}

const textOf = {
  idle: 'Timer reset',
  running: 'Timer running',
  paused: 'Timer paused',
  finished: 'Timer finished',
} satisfies Record<StandingTimer['timer']['status'], string>

/** The write with its instants moved to the server's clock, after the device's clock turned out to be wrong. */
function movedStanding({ timer, at }: StandingTimer, move: (at: Instant) => Instant): StandingTimer {
  return { timer: moved(timer, move), at: move(at) }
}
