import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { waitFor } from '#testing/wait.ts'
import { openApplication } from '../testing/application.ts'
import { Arrivals } from '../testing/convergence/network/arrivals.ts'
import { Network } from '../testing/convergence/network/network.ts'
import { PlayedTime } from '../testing/convergence/network/played-time.ts'
import { signIn } from '../testing/convergence/network/sign-in.ts'
import { changesOf } from '../testing/convergence/people/person.ts'
import { addressOf, PlayedDevice } from '../testing/convergence/play/device.ts'
import { RememberedChannel } from '../testing/convergence/play/tab.ts'

// The application, its database and the sync code of the device are real; network and time are simulated.

const user = 'ada'
const twoHours = 7_200_000

let network: Network

beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', RememberedChannel)
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { host, pathname, search } = new URL(url)
    expect(host).toBe(addressOf({ user, place: 0 }))
    return network.fetch(pathname + search, init)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describeEachEngine('a device whose clock is off', (openEmpty) => {
  it.each([
    ['two hours slow', -twoHours],
    ['two hours fast', twoHours],
    ['right', 0],
  ])(
    '%s: a preference chosen there after seeing another one wins, even if the page is reloaded at once',
    async (_, ahead) => {
      const database = await openEmpty()
      // Servers give their time in whole seconds, and this one is nearly over.
      const time = new PlayedTime(Date.UTC(2026, 10, 16, 20, 0, 0, 900))
      const daymark = openApplication(database, { clock: () => time.now })
      const cookie = await signIn(daymark, database, user)
      const theme = async () =>
        (await daymark.ask('GET', '/api/preferences', { cookie })).body.preferences.theme
      const processes = [{ ask: daymark.ask, clock: () => time.now }]
      network = new Network({ place: 0, cookie, processes, arrivals: new Arrivals(time), time })

      await daymark.ask('PATCH', '/api/preferences', { cookie, body: { theme: 'light' } })
      const device = new PlayedDevice({ user, place: 0, tabs: 1, ahead, network, time, onRender() {} })
      onTestFinished(() => device.close())
      const tab = device.tab(0)
      await tab.sync.reread()
      expect(tab.view().preferences).toMatchObject([{ theme: 'light' }])

      time.pass(50)
      const made = { number: 1, device: 0, at: time.now, earliest: time.now }
      const sees = { view: tab.view(), deleted: tab.deleted }
      const [dark] = changesOf({ action: 'change theme', which: 0, value: 2 }, made, device.now, sees)
      expect(await dark?.queue(tab.sync)).toBe(true)
      device.crash(0)
      await device.tab(0).sync.outbox.ready
      await waitFor(() => {
        time.pass(200)
        expect(device.atRest).toBe(true)
      })
      expect(await theme()).toBe('dark')
    },
  )
})
