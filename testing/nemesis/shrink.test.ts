import { expect, it } from 'vitest'
import type { Schedule, Step } from '#app/testing/convergence/play/schedule.ts'
import { shrink, tellSteps } from './shrink.ts'

const step = (device: number): Step => ({ after: device, meanwhile: 'calm', device, tab: 0, do: 'offline' })
const schedule: Schedule = {
  devices: [{ tabs: 1, ahead: 0 }],
  steps: Array.from({ length: 500 }, (_, device) => step(device)),
}
const has = ({ steps }: Schedule, ...devices: number[]) =>
  devices.every((each) => steps.some(({ device }) => device === each))

it('a long history is shrunk to the steps without which it does not fail', async () => {
  let played = 0
  const fails = async (shorter: Schedule) => {
    played += 1
    return has(shorter, 7, 300, 301)
  }
  const { steps } = await shrink(schedule, fails, 200)
  expect(steps).toEqual([step(7), step(300), step(301)])
  expect(played).toBeLessThanOrEqual(200)
})

it('a history that fails for any reason is shrunk to nothing', async () => {
  expect((await shrink(schedule, async () => true, 200)).steps).toEqual([])
})

it('a history that fails only as a whole stays whole, and is not played without end', async () => {
  let played = 0
  const fails = async ({ steps }: Schedule) => {
    played += 1
    return steps.length === 500
  }
  expect((await shrink(schedule, fails, 40)).steps).toHaveLength(500)
  expect(played).toBe(40)
})

it('the steps are told in words', () => {
  expect(tellSteps({ devices: [{ tabs: 2, ahead: -5_000 }], steps: [step(0)] })).toBe(
    '  client 0 has 2 tabs and a clock -5 s ahead\n  1. after 0 ms, client 0, tab 0: offline, then all is quiet',
  )
})

it('the telling leaves out clients that do nothing, and says long times in minutes', () => {
  const devices = [
    { tabs: 1, ahead: 0 },
    { tabs: 1, ahead: -5_400_000 },
  ]
  expect(tellSteps({ devices, steps: [{ ...step(1), after: 2_700_000 }] })).toBe(
    '  client 1 has 1 tab and a clock -90 min ahead\n' +
      '  1. after 45 min, client 1, tab 0: offline, then all is quiet',
  )
})
