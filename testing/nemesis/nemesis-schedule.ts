import fc from 'fast-check'
import type { Fate } from '#app/testing/convergence/network/network.ts'
import type { Intent } from '#app/testing/convergence/people/person.ts'
import { habitIntents, intents } from '#app/testing/convergence/people/person.ts'
import type { Schedule, Step } from '#app/testing/convergence/play/schedule.ts'

// The nemeses that sync engines are tested with: disconnects, partitions in either direction, requests that are lost, doubled or
// held back, pauses and kills of clients and of servers at any millisecond, clocks that jump.

const clients = 10
const acts = 500

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const when = {
  after: fc.constantFrom(0, 1, 20, 300, second, second, 20 * second, minute, 45 * minute),
  meanwhile: fc.constantFrom('at once', 'at once', 'at once', 'a moment', 'a moment', 'calm'),
  device: fc.nat(clients - 1),
  tab: fc.nat(1),
} as const

/** A history of one kind of person draws its acts mostly from the same few rows, so that clients get into each other's way. */
const ofKinds = fc.constantFrom(...intents, ...habitIntents)

function actsWith(intent: fc.Arbitrary<Intent>): fc.Arbitrary<Step> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.record({ ...when, do: fc.constant('change' as const), intent }) },
    {
      weight: 5,
      arbitrary: fc.record({
        ...when,
        do: fc.constant('editor' as const),
        action: fc.constantFrom('open', 'touch', 'save', 'save'),
        which: fc.nat(3),
        value: fc.nat(5),
      }),
    },
    { weight: 3, arbitrary: fc.record({ ...when, do: fc.constantFrom('undo', 'undo', 'redo') }) },
    { weight: 8, arbitrary: fc.record({ ...when, do: fc.constant('read' as const) }) },
  )
}

const fate = fc.constantFrom<Fate>(
  'delayed',
  'delayed',
  'delayed',
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

const nemesis: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...when,
      do: fc.constant('fates' as const),
      of: fc.constantFrom('writes', 'reads'),
      fates: fc.array(fate, { minLength: 1, maxLength: 3, size: 'max' }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      ...when,
      do: fc.constant('partition' as const),
      partition: fc.record({
        way: fc.constantFrom('there', 'back'),
        afterwards: fc.constantFrom('arrives', 'lost'),
      }),
      lasts: fc.integer({ min: 0, max: 10 * second }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ ...when, do: fc.constantFrom('offline', 'online', 'online', 'late') }),
  },
  { weight: 6, arbitrary: fc.record({ ...when, do: fc.constantFrom('crash', 'crash', 'wake', 'sleep') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...when,
      do: fc.constant('set clock' as const),
      by: fc.constantFrom(20 * second, -20 * second, hour, -hour, 24 * hour, -24 * hour),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ ...when, do: fc.constantFrom('sign in or out', 'sign in', 'sign in') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...when,
      do: fc.constant('server' as const),
      which: fc.nat(1),
      happens: fc.constantFrom('kill', 'pause'),
      milliseconds: fc.nat(30),
    }),
  },
)

const nothing = fc.constant(undefined)

const devices = fc.array(
  fc.record({
    tabs: fc.constantFrom(1, 1, 2),
    live: fc.constantFrom(true, false, false),
    ahead: fc.constantFrom(0, 0, 0, 20 * second, -90 * minute, 13 * hour, -72 * hour),
  }),
  { minLength: clients, maxLength: clients },
)

/** Whether a nemesis strikes anyone, or the client that acts: just before its act, or while that is on its way. */
const strikes = fc.constantFrom('anyone', 'anyone', 'before', 'meanwhile', 'meanwhile')

/** An act and what happens to a client, its connection or a server about then. */
function struckAct(
  nemesis: Step,
  act: Step,
  strikes: 'anyone' | 'before' | 'meanwhile',
): readonly [Step, Step] {
  if (strikes === 'anyone') return [nemesis, act]
  const { device, tab } = act
  if (strikes === 'before') return [{ ...nemesis, device, tab }, act]
  // At once the act isn't stored yet, and a moment later its request is in progress.
  const meanwhile = act.meanwhile === 'calm' ? 'a moment' : act.meanwhile
  return [
    { ...act, meanwhile },
    { ...nemesis, device, tab, after: 0 },
  ]
}

/** A person acts several times on one page before they go to another one. */
function onePageAfterAnother(drawn: readonly { act: Step; stays: boolean }[]): Step[] {
  let page: Pick<Step, 'device' | 'tab'> | undefined
  return drawn.map(({ act, stays }) => {
    if (!stays || !page) page = { device: act.device, tab: act.tab }
    return { ...act, ...page }
  })
}

/** Every third act comes with a nemesis. */
export const nemesisSchedule: fc.Arbitrary<Schedule> = ofKinds.chain((intent) =>
  fc
    .array(
      fc.record({
        nemesis: fc.oneof({ weight: 2, arbitrary: nothing }, { weight: 1, arbitrary: nemesis }),
        strikes,
        act: actsWith(
          fc.oneof(
            { weight: 3, arbitrary: intent },
            { weight: 1, arbitrary: ofKinds.chain((other) => other) },
          ),
        ),
        stays: fc.boolean(),
      }),
      { minLength: acts, maxLength: acts },
    )
    .chain((drawn) =>
      devices.map((devices) => ({
        devices,
        steps: onePageAfterAnother(drawn).flatMap((act, place) => {
          const { nemesis, strikes = 'anyone' } = drawn[place] ?? {}
          return nemesis ? struckAct(nemesis, act, strikes) : [act]
        }),
      })),
    ),
)
