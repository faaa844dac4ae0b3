import fc from 'fast-check'
import type { Fate, Partition } from '../network/network.ts'
import { clashingActions } from '../people/habit-person.ts'
import { habitIntents, type Intent, intents } from '../people/person.ts'
import type { RepeatingIntent } from '../people/repeating-person.ts'

const minute = 60_000
const hour = 60 * minute
/**
 * Milliseconds that a device sleeps. Because of the odd minutes, several nights never look like a clock that was set by
 * whole hours or days.
 */
export const night = 8 * hour + 5 * minute

export type Step = {
  after: number
  meanwhile: 'at once' | 'a moment' | 'calm'
  device: number
  tab: number
} & (
  | { do: 'change'; intent: Intent }
  | { do: 'repeating'; intent: RepeatingIntent }
  | { do: 'fates'; of: 'writes' | 'reads'; fates: Fate[] }
  | { do: 'editor'; action: 'open' | 'touch' | 'save'; which: number; value: number }
  | { do: 'firewall'; blocks: boolean }
  | { do: 'clear' }
  | { do: 'set clock'; by: number }
  | { do: 'set server clock'; ahead: number }
  | { do: 'partition'; partition: Omit<Partition, 'until'>; lasts: number }
  | ({ do: 'server' } & ServerStep)
  | { do: 'sign in or out' | 'sign in' | 'all sign out' | 'start timer' }
  | { do: 'undo' | 'redo' }
  | { do: 'offline' | 'online' | 'crash' | 'read' | 'late' | 'wake' | 'sleep' }
)

/** What happens to a server process; only a real one can die or stand still. */
export interface ServerStep {
  which: number
  happens: 'kill' | 'pause'
  /** Real milliseconds until then, while the next steps go on, or for which it stands still. */
  milliseconds: number
}

export interface Schedule {
  /**
   * `ahead` is the error of the device's clock in milliseconds, at most so large that the device's day has already begun
   * somewhere on Earth.
   */
  devices: { tabs: number; ahead: number; older?: boolean; live?: boolean }[]
  /** Begin with to-dos that repeat by these rules, instead of a row of each kind. */
  repeating?: readonly number[]
  /** Whether two processes, with different clocks, serve the database. */
  twoProcesses?: boolean
  steps: Step[]
}

const when = {
  after: fc.constantFrom(0, 1, 20, 1_000, minute, 45 * minute),
  meanwhile: fc.constantFrom('at once', 'at once', 'a moment', 'calm'),
  device: fc.nat(3),
  tab: fc.nat(1),
} as const
const fate = fc.constantFrom<Fate>(
  'answered',
  'slow',
  'lost',
  'unanswered',
  'unanswered',
  'doubled',
  'held',
  'held',
  'unavailable',
  'broken',
  'signed-out',
)
const fatesOfRequests = fc.record({
  ...when,
  do: fc.constant('fates' as const),
  of: fc.constantFrom('writes', 'writes', 'reads'),
  fates: fc.array(fate, { minLength: 1, maxLength: 4, size: 'max' }),
})
const connections = fc.record({
  ...when,
  do: fc.constantFrom('offline', 'offline', 'online', 'crash', 'read', 'read', 'late', 'wake'),
})
const clocks: fc.WeightedArbitrary<Step>[] = [
  {
    weight: 2,
    arbitrary: fc.record({
      ...when,
      do: fc.constant('set clock' as const),
      by: fc.constantFrom(20_000, -20_000, hour, -hour, 24 * hour, -24 * hour),
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...when, do: fc.constant('sleep' as const) }) },
]
const interference: fc.WeightedArbitrary<Step>[] = [
  { weight: 3, arbitrary: fatesOfRequests },
  {
    weight: 1,
    arbitrary: fc.record({ ...when, do: fc.constant('firewall' as const), blocks: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...when,
      do: fc.constantFrom('sign in or out', 'sign in or out', 'all sign out', 'start timer', 'start timer'),
    }),
  },
  { weight: 8, arbitrary: connections },
  ...clocks,
]
const editor = fc.record({
  ...when,
  do: fc.constant('editor' as const),
  action: fc.constantFrom('open', 'touch', 'save', 'save'),
  which: fc.nat(3),
  value: fc.nat(5),
})
const taking = fc.record({ ...when, do: fc.constantFrom('undo', 'undo', 'redo') })
const device = fc.record({
  tabs: fc.integer({ min: 1, max: 2 }),
  ahead: fc.constantFrom(0, 0, 20_000, -90 * minute, 13 * hour, -72 * hour),
})
const devices = fc.array(device, { minLength: 2, maxLength: 4 })

const clear = fc.record({ ...when, do: fc.constant('clear' as const) })

export const schedule = scheduleOf(intents)

interface Clash {
  actions: (typeof clashingActions)[number]
  which: number
  day: number
  device: number
  tab: number
  known: boolean
  outOfOrder: boolean
}

/**
 * Two devices change the same thing without knowing of each other. With `outOfOrder`, the change that was made first arrives
 * last.
 */
function stepsOfClash({
  actions: [action, other],
  which,
  day,
  device,
  tab,
  known,
  outOfOrder,
}: Clash): Step[] {
  const calm = { after: minute, meanwhile: 'calm', tab } as const
  const change = (device: number, action: Intent['action'], value: number): Step => ({
    ...calm,
    device,
    do: 'change',
    intent: { action, which, value },
  })
  const changes = [change(device, action, day), change(device + 1, other, day + 4)]
  return [
    // With `known`, both devices have already seen the first change: a skip, for example, is then taken back by both.
    ...(known ? [change(device, action, day)] : []),
    { ...calm, device, do: 'offline' },
    ...(outOfOrder ? changes : changes.toReversed()),
    { ...calm, device, do: 'online' },
  ]
}

const clash: fc.Arbitrary<Step[]> = fc
  .record({
    actions: fc.constantFrom(...clashingActions),
    which: fc.nat(3),
    day: fc.constantFrom(0, 1, 2, 3, 3),
    device: when.device,
    tab: when.tab,
    known: fc.boolean(),
    outOfOrder: fc.boolean(),
  })
  .map(stepsOfClash)

/** Each clash of two changes once, on two devices whose clocks are right. The first change always arrives last. */
export const everyClash: Schedule = {
  devices: [
    { tabs: 1, ahead: 0 },
    { tabs: 1, ahead: 0 },
  ],
  steps: clashingActions.flatMap((actions, index) => {
    // Each clash is on another day, since a later clash on the same day would hide the result of the first.
    const of = { actions, which: index % 3, day: index % 4, device: 0, tab: 0 }
    return stepsOfClash({ ...of, known: false, outOfOrder: true })
  }),
}

/** Schedules that change rhythms, amounts, skips and pauses on several devices. */
export const habitSchedule = scheduleOf(habitIntents, [{ weight: 4, arbitrary: clash }])

function scheduleOf(
  intents: readonly fc.Arbitrary<Intent>[],
  groups: readonly fc.WeightedArbitrary<Step[]>[] = [],
): fc.Arbitrary<Schedule> {
  return fc.oneof(
    ...intents.map((intent) => {
      const change = fc.record({ ...when, do: fc.constant('change' as const), intent })
      const ofAll: fc.WeightedArbitrary<Step>[] = [
        { weight: 12, arbitrary: change },
        { weight: 6, arbitrary: editor },
        { weight: 4, arbitrary: taking },
        ...interference,
      ]
      const someOf = (...each: fc.WeightedArbitrary<Step>[]) =>
        fc
          .array(fc.oneof(...each.map(alone), ...groups), { minLength: 1, maxLength: 40, size: 'max' })
          .map((steps) => steps.flat())
      // Rare, since schedules with a store that can be cleared are slow.
      const steps = fc.oneof(
        { weight: 4, arbitrary: someOf(...ofAll) },
        { weight: 1, arbitrary: someOf(...ofAll, { weight: 2, arbitrary: clear }) },
      )
      return fc.record({ devices, steps })
    }),
  )
}

/** Steps with these changes, and with interference in their requests, on devices that stay signed in. */
export function stepsOf(
  changes: (times: typeof when) => fc.WeightedArbitrary<Step[]>[],
): fc.Arbitrary<Step[]> {
  return fc
    .array(
      fc.oneof(
        ...changes(when),
        alone({ weight: 2, arbitrary: fatesOfRequests }),
        alone({ weight: 5, arbitrary: connections }),
        ...clocks.map(alone),
      ),
      { minLength: 1, maxLength: 30, size: 'max' },
    )
    .map((steps) => steps.flat())
}

function alone({ weight, arbitrary }: fc.WeightedArbitrary<Step>): fc.WeightedArbitrary<Step[]> {
  return { weight, arbitrary: arbitrary.map((step) => [step]) }
}
