import { afterEach, beforeEach, vi } from 'vitest'
import { openApplication } from '#app/testing/application.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Network } from '../network/network.ts'
import { PlayedTime } from '../network/played-time.ts'
import { signIn, signInAgain } from '../network/sign-in.ts'
import { userAt } from './device.ts'
import { Play } from './play.ts'
import type { Schedule } from './schedule.ts'
import { RememberedChannel } from './tab.ts'

/** The result of a played schedule, with a way to read from the server. */
export interface Played {
  play: Play
  user: string
  time: PlayedTime
  ask(path: string): Promise<unknown>
  /** Makes the server compute the sums of older days again. */
  forgetSums(): Promise<void>
}

/** Milliseconds by which the clocks of two processes on one database differ. */
export const processesDiffer = 3_000

let networks: Play['networks'] = new Map()

function networkOf(host: string): Network {
  const network = networks.get(host)
  if (!network) throw new Error(`${host} is no device`)
  return network
}

/** The stream of events has a path only, and names its device in place of its account (`PlayedDevice`). */
function openStream(path: string, { headers, signal }: RequestInit): Promise<Response> {
  const sent = new Headers(headers)
  const address = sent.get('x-daymark-user') ?? ''
  sent.set('x-daymark-user', userAt(address))
  return networkOf(address).openStream(path, { headers: sent, signal })
}

/**
 * Call in a test file that plays schedules. Replaces the network and the channels between tabs by simulated ones. `publish` makes
 * the networks of a play the ones that there are.
 */
export function simulateBrowsers(): { publish(all: Play['networks']): void } {
  beforeEach(() => {
    vi.stubGlobal('BroadcastChannel', RememberedChannel)
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      if (url.startsWith('/')) return openStream(url, init)
      const { host, pathname, search } = new URL(url)
      return networkOf(host).fetch(pathname + search, init)
    })
    vi.spyOn(console, 'warn').mockImplementation(() => {})
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
  return {
    publish(all) {
      networks = all
    },
  }
}

/**
 * Returns a function that plays a schedule from an instant on, with a new person each time, and then calls `look` with the
 * result.
 */
export function openPlays(database: Database) {
  let time = new PlayedTime(0)
  const processOf = (ahead: number) => {
    const clock = () => time.atServer + ahead
    const daymark = openApplication(database, { clock, steady: () => time.now })
    return { daymark, ask: daymark.ask, clock }
  }
  const [first, second] = [processOf(0), processOf(processesDiffer)]
  const { daymark } = first
  let people = 0
  return async (schedule: Schedule, start: Instant, look: (played: Played) => Promise<void>) => {
    const user = `person-${++people}`
    const again = () => signInAgain(daymark, database, user)
    const cookies = [await signIn(daymark, database, user)]
    while (cookies.length < schedule.devices.length) cookies.push(await again())
    time = new PlayedTime(start)
    const processes = [first, ...(schedule.twoProcesses ? [second] : [])] as const
    const play = new Play({ processes, user, cookies, signIn: again, time, schedule })
    networks = play.networks
    try {
      await play.play()
      const cookie = await again()
      const ask = async (path: string): Promise<unknown> => (await daymark.ask('GET', path, { cookie })).body
      const forgetSums = () =>
        // Written as a change of habits, since cached responses stay valid until the user's habits change.
        database.writeFor(user, ['habits'], async (tx) => {
          const none = { earlier_name: null, earlier_from: null, earlier_sum: null }
          await tx.updateTable('habits').set(none).where('user_id', '=', user).execute()
          await tx.deleteFrom('habit_years').where('user_id', '=', user).execute()
        })
      await look({ play, user, time, ask, forgetSums })
    } finally {
      play.close()
    }
  }
}
