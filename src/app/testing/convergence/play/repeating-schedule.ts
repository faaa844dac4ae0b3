import fc from 'fast-check'
import { meetingIntents, repeatingIntent, zones } from '../people/repeating-person.ts'
import { night, type Schedule, type Step, stepsOf } from './schedule.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * Evenings before clocks change, a year ends, or a short month ends, each with its zone. If the person's day starts late, it
 * begins some hours after midnight in that zone.
 */
const starts = [
  { start: '2026-10-24T20:00:00Z', zone: zones.indexOf('Europe/Copenhagen') },
  { start: '2026-10-24T21:00:00Z', zone: zones.indexOf('Europe/Copenhagen') },
  { start: '2026-11-01T03:00:00Z', zone: zones.indexOf('America/New_York') },
  { start: '2027-03-27T21:00:00Z', zone: zones.indexOf('Europe/Copenhagen') },
  { start: '2026-12-31T10:00:00Z', zone: zones.indexOf('Pacific/Auckland') },
  { start: '2027-02-27T12:00:00Z', zone: zones.indexOf('UTC') },
].map(({ start, zone }) => ({ start: Date.parse(start), zone }))

export interface RepeatingSchedule extends Schedule {
  start: number
}

/** Milliseconds between two changes: often 0, and often enough to pass midnight. */
const after = fc.constantFrom(0, 0, 0, 1, 20, minute, 45 * minute, 5 * hour, 11 * hour, 23 * hour, 8 * day)

const device = fc.record({
  tabs: fc.constantFrom(1, 1, 2),
  ahead: fc.constantFrom(0, 0, 0, 20_000, -90 * minute),
  older: fc.constantFrom(false, false, true),
})

/** Milliseconds that a schedule may last: a device does not have tasks that were completed longer ago. */
const shownCompleted = 29 * day

function within(steps: Step[]): Step[] {
  let passed = steps.filter((step) => step.do === 'sleep').length * night
  return steps.map((step) => {
    const fits = passed + step.after <= shownCompleted
    if (fits) passed += step.after
    return fits ? step : { ...step, after: 0 }
  })
}

/** The step that sets the calendar at the beginning of a schedule. */
function settingUp(action: 'change zone' | 'change day start', value: number): Step {
  const intent = { action, which: 0, value }
  return { after: 0, meanwhile: 'calm', device: 0, tab: 0, do: 'repeating', intent }
}

/** Schedules in which devices change repeating to-dos. Some devices are older clients that know nothing of repeating. */
export const repeatingSchedule: fc.Arbitrary<RepeatingSchedule> = fc
  .record({
    begins: fc.constantFrom(...starts),
    dayStart: fc.nat(3),
    devices: fc.array(device, { minLength: 2, maxLength: 4 }),
    repeating: fc.array(fc.nat(11), { minLength: 1, maxLength: 1 }),
    steps: stepsOf((when) => {
      const change = { ...when, do: fc.constant('repeating' as const) }
      const one = fc.record({ ...change, after, intent: repeatingIntent })
      // Two changes at the same instant, arriving in any order; often after one device has been taken to another zone.
      const two = fc
        .record({
          one: fc.record({ ...change, after, meanwhile: fc.constant('at once' as const) }),
          other: when.device,
          intents: meetingIntents,
          isTravelling: fc.boolean(),
        })
        .map(({ one, other, intents: [first, second], isTravelling }) => [
          ...(isTravelling ? [{ ...one, intent: { ...first, action: 'change zone' as const } }] : []),
          { ...one, ...(isTravelling && { after: 20 }), intent: first },
          { ...one, after: 0, device: other, intent: second },
        ])
      return [
        { weight: 12, arbitrary: one.map((step) => [step]) },
        { weight: 3, arbitrary: two },
      ]
    }).map(within),
  })
  .map(({ begins: { start, zone }, dayStart, steps, ...rest }) => ({
    ...rest,
    start,
    steps: [settingUp('change zone', zone), settingUp('change day start', dayStart), ...steps],
  }))
