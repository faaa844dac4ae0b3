import fc from 'fast-check'
import { intentsOfRows } from '../people/person.ts'
import { type Schedule, type Step, stepsOf } from './schedule.ts'

const day = 86_400_000

const device = fc.record({
  tabs: fc.constantFrom(1, 1, 2),
  ahead: fc.constantFrom(0, 0, 20_000, -3_600_000),
})

/** Two devices change the same thing while the server's clock is two days ahead, and again when it is right. */
function whileAhead(change: Extract<Step, { do: 'change' }>, other: number, before: boolean): Step[] {
  const set = (ahead: number): Step => ({ ...change, do: 'set server clock', ahead, meanwhile: 'calm' })
  const changed: Step = { ...change, meanwhile: 'calm' }
  const again: Step = { ...changed, device: change.device + other, after: 60_000 }
  return before
    ? [set(2 * day), { ...changed, do: 'read' }, changed, set(0), again]
    : [changed, set(2 * day), again, set(0), { ...again, device: change.device }]
}

/** Both orders of `whileAhead` once, on two devices whose clocks are right. */
export const serverWasAhead: readonly Schedule[] = [true, false].map((before) => {
  const intent = { action: 'rename todo', which: 0, value: 0 } as const
  const change = { after: 60_000, meanwhile: 'calm', device: 0, tab: 0, do: 'change', intent } as const
  const device = { tabs: 1, ahead: 0 }
  return { devices: [device, device], steps: whileAhead(change, 1, before) }
})

/**
 * Schedules in which devices change a few rows while the server's clock is set two days ahead and back again, on one process
 * or two.
 */
export const serverClockSchedule: fc.Arbitrary<Schedule> = fc.constantFrom(...intentsOfRows).chain((intent) =>
  fc.record({
    devices: fc.array(device, { minLength: 2, maxLength: 3 }),
    twoProcesses: fc.boolean(),
    steps: stepsOf((when) => {
      const change = fc.record({ ...when, do: fc.constant('change' as const), intent })
      const set = fc.record({
        ...when,
        do: fc.constant('set server clock' as const),
        ahead: fc.constantFrom(0, 2 * day),
      })
      return [
        { weight: 12, arbitrary: change.map((step) => [step]) },
        { weight: 2, arbitrary: set.map((step) => [step]) },
        {
          weight: 2,
          arbitrary: fc
            .record({ change, other: fc.nat(1), before: fc.boolean() })
            .map(({ change, other, before }) => whileAhead(change, other, before)),
        },
      ]
    }),
  }),
)
