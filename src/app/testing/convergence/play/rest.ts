import { type PlayedTime, turns } from '../network/played-time.ts'
import type { PlayedDevice } from './device.ts'

// What a play waits for: that nothing is on its way any more, for a moment or at the end.

type Devices = readonly PlayedDevice[]

const minute = 60_000

/** Waits until everything that can happen without a person has happened. */
export async function settle(devices: Devices, time: PlayedTime): Promise<void> {
  for (let still = 0; still < 3; still++) {
    if (await waitForResponses(devices)) still = 0
    time.pass(200)
  }
}

/** Waits until no request is in progress and the last responses have been handled. Returns whether there were any. */
export async function waitForResponses(devices: Devices): Promise<boolean> {
  for (let any = false; ; any = true) {
    await turns(4)
    if (devices.some(({ isStoring }) => isStoring)) continue
    const inFlight = devices.flatMap(({ network }) => [...network.inFlight])
    if (inFlight.length === 0) return any
    await Promise.allSettled(inFlight)
  }
}

/** Lets the time of several retries pass without waking anybody. Returns the queues that do not empty by themselves. */
export async function waitForRetries(devices: Devices, time: PlayedTime): Promise<string[]> {
  for (let waited = 0; waited < 10 * minute; waited += 5_000) {
    await waitForResponses(devices)
    if (devices.every(({ atRest }) => atRest)) return []
    time.pass(5_000)
  }
  return devices.flatMap(({ place, tabs }) => {
    const texts = tabs.flatMap(({ sync }) => sync.outbox.queued.map(({ text }) => text))
    return texts.length > 0 ? [`device ${place} did not send ${texts.join(', ')} by itself`] : []
  })
}

/** Lets time pass, and the person look at their devices now and then, until every device is at rest. */
export async function comeToRest(devices: Devices, time: PlayedTime): Promise<void> {
  for (let round = 0; round < 1_000; round++) {
    await waitForResponses(devices)
    if (devices.every(({ atRest }) => atRest)) return
    time.pass(70_000)
    // Some work waits until the person does something.
    if (round % 10 === 9) for (const device of devices) device.wake()
  }
  throw new Error('It never came to rest')
}
