import * as z from 'zod/mini'
import { type Instant, instantFromWire, instantSchema, instantToWire } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import type { Standing } from './standing.ts'
import { type FocusTimer, focusedFor, type Run, runLength } from './timer.ts'

/** With a day to spare, as for the sessions that come of it. */
const earliest = Date.UTC(1900, 0, 2)
/** One more is a pause every three seconds. */
const mostStretches = 500

/** The shape of a timer, whose instants are kept as numbers and travel as text. */
export function focusTimerOf<Id extends z.ZodMiniType<string>, When extends z.ZodMiniType<Instant | string>>(
  id: Id,
  when: When,
) {
  const run = z.object({
    id,
    follows: z.optional(id),
    stretches: z
      .array(z.object({ from: when, to: when }))
      .check(z.maxLength(mostStretches, 'Expected at most 500 stretches')),
  })
  return z.discriminatedUnion('status', [
    z.object({ status: z.literal('idle'), follows: z.optional(id) }),
    z.object({ status: z.literal('running'), run, since: when }),
    z.object({ status: z.literal('paused'), run }),
    z.object({ status: z.literal('finished'), run }),
  ])
}

/** As it travels, and as the server stores it. */
export const focusTimerSchema = focusTimerOf(rowIdSchema, instantSchema).check(
  z.refine((timer) => timer.status === 'idle' || isInOrder(instantsOf(timer)), {
    path: ['run'],
    message: 'Expected stretches from 1900 on, in order and apart from each other',
  }),
  z.refine((timer) => timer.status === 'idle' || focusedFor(timer.run) <= runLength, {
    path: ['run'],
    message: 'Expected at most 25 minutes',
  }),
)

/** `changed_at`: when it was made so, null where nobody ever started it. */
export const focusTimerAnswerSchema = z.object({
  timer: focusTimerOf(z.string(), z.string()),
  changed_at: z.nullable(z.string()),
})
type FocusTimerAnswer = z.infer<typeof focusTimerAnswerSchema>

export const focusTimerChangeSchema = z.object({ timer: focusTimerSchema, at: z.optional(instantSchema) })

export function timerToWire(timer: FocusTimer): FocusTimerAnswer['timer'] {
  if (timer.status === 'idle') return timer
  const run = runToWire(timer.run)
  return timer.status === 'running'
    ? { status: timer.status, run, since: instantToWire(timer.since) }
    : { status: timer.status, run }
}

/** Undefined where nobody ever started it. */
export function standingToWire(standing: Standing | undefined): FocusTimerAnswer {
  if (!standing) return { timer: { status: 'idle' }, changed_at: null }
  return { timer: timerToWire(standing.timer), changed_at: instantToWire(standing.at) }
}

/** Throws where it is no answer of ours. */
export function standingFromWire(answer: unknown): Standing | undefined {
  const { timer, changed_at } = focusTimerAnswerSchema.parse(answer)
  if (changed_at === null) return undefined
  return { timer: focusTimerSchema.parse(timer), at: instantFromWire(changed_at) }
}

function runToWire({ stretches, ...run }: Run) {
  return {
    ...run,
    stretches: stretches.map(({ from, to }) => ({ from: instantToWire(from), to: instantToWire(to) })),
  }
}

function instantsOf(timer: Exclude<FocusTimer, { status: 'idle' }>): Instant[] {
  const over = timer.run.stretches.flatMap(({ from, to }) => [from, to])
  return timer.status === 'running' ? [...over, timer.since] : over
}

function isInOrder(instants: readonly Instant[]): boolean {
  return instants.every((instant, place) => instant >= (instants[place - 1] ?? earliest))
}
