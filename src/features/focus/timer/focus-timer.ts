import * as z from 'zod/mini'
import {
  changeInstantSchema,
  type Instant,
  instantFromWire,
  instantSchema,
  instantToWire,
} from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { focusPlanSchema } from '../plan/focus-plan.ts'
import { focusSubjectOf } from '../subjects/focus-subject.ts'
import { focusedFor, longestOf, type Run, type Stretch } from './phase.ts'
import { type FocusTimer, mostMinutes } from './timer.ts'
import type { StandingTimer } from './timer-merge.ts'

/** The earliest instant that a timer may contain, with a day to spare. */
const earliest = Date.UTC(1900, 0, 2)
/** The most parts without a pause in one run. More would mean a pause every three seconds. */
const mostStretches = 500
/** The most earlier runs and recorded parts of runs in a timer: more than a client keeps. */
const mostBefore = 50
const mostRecorded = 100
/**
 * The highest number of a phase in its cycle: more than anybody reaches. The ids of later runs have room for just this number.
 */
const mostPhases = 0xfff

const count = z.int().check(z.minimum(0), z.maximum(mostPhases))
const minutes = z.int().check(z.minimum(1), z.maximum(mostMinutes))

/** The schema of a timer. Its instants are numbers when stored, and text when sent. */
export function focusTimerOf<Id extends z.ZodMiniType<string>, When extends z.ZodMiniType<Instant | string>>(
  id: Id,
  when: When,
) {
  const before = z.optional(z.array(id).check(z.maxLength(mostBefore)))
  const stretch = z.object({ from: when, to: when })
  const recorded = z.optional(z.array(stretch).check(z.maxLength(mostRecorded)))
  const run = z.object({
    id,
    follows: z.optional(id),
    before,
    recorded,
    stretches: z.array(stretch).check(z.maxLength(mostStretches, 'Expected at most 500 stretches')),
  })
  const place = { cycle: id, number: count, focused: count }
  const chosen = { next: z.optional(z.literal('flow')), subject: z.optional(focusSubjectOf(id)) }
  const underway = {
    run,
    // A run without a phase is 25 minutes of focus outside any cycle.
    phase: z.optional(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('focus'), minutes, ...place }),
        z.object({ kind: z.literal(['break', 'long_break']), minutes, ...place }),
        z.object({
          kind: z.literal('flow'),
          minutes: z.null(),
          ...place,
          answered: z.optional(z.int().check(z.minimum(0), z.maximum(5))),
        }),
      ]),
    ),
    plan: z.optional(focusPlanSchema),
    ...chosen,
  }
  return z.discriminatedUnion('status', [
    z.object({
      status: z.literal('idle'),
      follows: z.optional(id),
      before,
      recorded,
      cycle: z.optional(z.object({ id, number: count, focused: count, ended: when })),
      ...chosen,
    }),
    z.object({ status: z.literal('running'), ...underway, since: when }),
    z.object({ status: z.literal('paused'), ...underway }),
    z.object({ status: z.literal('finished'), ...underway }),
  ])
}

/** The timer as sent in a request, and as the server stores it. */
export const focusTimerSchema = focusTimerOf(rowIdSchema, instantSchema).check(
  z.refine((timer) => timer.status === 'idle' || isInOrder(instantsOf(timer)), {
    path: ['run'],
    message: 'Expected stretches from 1900 on, in order and apart from each other',
  }),
  z.refine((timer) => timer.status === 'idle' || focusedFor(timer.run) <= longestOf(timer.phase), {
    path: ['run'],
    message: 'Expected at most the length of the phase',
  }),
  z.refine((timer) => recordedIn(timer).every(({ from, to }) => from <= to), {
    path: ['recorded'],
    message: 'Expected stretches that end after they begin',
  }),
)

/** `changed_at` is when the timer last changed; null if the user never started it. */
export const focusTimerResponseSchema = z.object({
  timer: focusTimerOf(z.string(), z.string()),
  changed_at: z.nullable(z.string()),
})
type FocusTimerResponse = z.infer<typeof focusTimerResponseSchema>

export const focusTimerChangeSchema = z.object({
  timer: focusTimerSchema,
  at: z.optional(changeInstantSchema),
})

export function timerToWire(timer: FocusTimer): FocusTimerResponse['timer'] {
  if (timer.status === 'idle') {
    const { cycle, recorded, ...idle } = timer
    return {
      ...idle,
      ...(recorded && { recorded: recorded.map(stretchToWire) }),
      ...(cycle && { cycle: { ...cycle, ended: instantToWire(cycle.ended) } }),
    }
  }
  const run = runToWire(timer.run)
  return timer.status === 'running' ? { ...timer, run, since: instantToWire(timer.since) } : { ...timer, run }
}

/** `standing` is undefined if the user never started the timer. */
export function standingToWire(standing: StandingTimer | undefined): FocusTimerResponse {
  if (!standing) return { timer: { status: 'idle' }, changed_at: null }
  return { timer: timerToWire(standing.timer), changed_at: instantToWire(standing.at) }
}

/** Returns undefined if the user never started the timer. Throws if `response` is not a timer response. */
export function standingFromWire(response: unknown): StandingTimer | undefined {
  const { timer, changed_at } = focusTimerResponseSchema.parse(response)
  if (changed_at === null) return undefined
  return { timer: focusTimerSchema.parse(timer), at: instantFromWire(changed_at) }
}

function runToWire({ stretches, recorded, ...run }: Run) {
  return {
    ...run,
    ...(recorded && { recorded: recorded.map(stretchToWire) }),
    stretches: stretches.map(stretchToWire),
  }
}

function stretchToWire({ from, to }: Stretch) {
  return { from: instantToWire(from), to: instantToWire(to) }
}

function recordedIn(timer: FocusTimer): Stretch[] {
  return (timer.status === 'idle' ? timer.recorded : timer.run.recorded) ?? []
}

function instantsOf(timer: Exclude<FocusTimer, { status: 'idle' }>): Instant[] {
  const over = timer.run.stretches.flatMap(({ from, to }) => [from, to])
  return timer.status === 'running' ? [...over, timer.since] : over
}

function isInOrder(instants: readonly Instant[]): boolean {
  return instants.every((instant, place) => instant >= (instants[place - 1] ?? earliest))
}
