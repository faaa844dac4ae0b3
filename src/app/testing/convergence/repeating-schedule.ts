import fc from 'fast-check'
import { repeatingIntent } from './repeating-person.ts'
import { changesAndInterference, type Schedule } from './schedule.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Evenings before clocks change, a year ends, or a short month does. */
const starts = [
  '2026-10-24T20:00:00Z',
  '2026-10-31T22:00:00Z',
  '2026-12-31T10:00:00Z',
  '2027-02-27T12:00:00Z',
  '2027-03-13T20:00:00Z',
  '2027-03-27T21:00:00Z',
].map((text) => Date.parse(text))

export interface RepeatingSchedule extends Schedule {
  start: number
}

/** Often at the same instant, and over midnights. */
const after = fc.constantFrom(0, 0, 0, 1, 20, minute, 45 * minute, 5 * hour, 11 * hour, 23 * hour, 8 * day)

const device = fc.record({
  tabs: fc.constantFrom(1, 1, 2),
  ahead: fc.constantFrom(0, 0, 0, 20_000, -90 * minute),
  older: fc.constantFrom(false, false, true),
})

/** Devices that change to-dos which repeat, a few of them clients that know nothing of that. */
export const repeatingSchedule: fc.Arbitrary<RepeatingSchedule> = fc.record({
  start: fc.constantFrom(...starts),
  devices: fc.array(device, { minLength: 2, maxLength: 4 }),
  repeating: fc.array(fc.nat(11), { minLength: 1, maxLength: 1 }),
  steps: changesAndInterference((when) =>
    fc.record({ ...when, after, do: fc.constant('repeating' as const), intent: repeatingIntent }),
  ),
})
