import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { openApplication } from './testing/application.ts'
import { Play } from './testing/convergence/play.ts'
import { PlayedTime } from './testing/convergence/played-time.ts'
import { breaches, clocksAgree } from './testing/convergence/rule.ts'
import { type Schedule, schedule } from './testing/convergence/schedule.ts'
import { signIn } from './testing/convergence/sign-in.ts'
import { RememberedChannel } from './testing/convergence/tab.ts'
import { fieldsOfServer, viewOfServer } from './testing/convergence/view.ts'

// Several devices of one person change the same few rows while they are offline, while requests are lost, repeated or held
// back and while tabs die. The application, its database and the tabs' way of a change are real; the network and the time
// are played. What must stand in the end is computed from the changes alone (`testing/convergence/rule.ts`).

let networks: Play['networks'] = new Map()

beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', RememberedChannel)
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { host, pathname, search } = new URL(url)
    const network = networks.get(host)
    if (!network) throw new Error(`${host} is no device`)
    return network.fetch(pathname + search, init)
  })
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Found once in some 10,000: an older change is refused just when another tab has made a later one of the same row. */
const changedInAnotherTab: Schedule = {
  devices: [
    { tabs: 1, ahead: 0 },
    { tabs: 1, ahead: 0 },
    { tabs: 2, ahead: 0 },
  ],
  steps: [
    {
      after: 0,
      meanwhile: 'at once',
      device: 2,
      tab: 0,
      do: 'fates',
      of: 'writes',
      fates: ['held', 'held', 'answered'],
    },
    rename(2, 1, 0, 'at once'),
    {
      after: 20,
      meanwhile: 'a moment',
      device: 0,
      tab: 0,
      do: 'change',
      wish: { does: 'delete todo', which: 0, value: 0 },
    },
    { after: 2_700_000, meanwhile: 'at once', device: 0, tab: 0, do: 'offline' },
    rename(2, 1, 60_000, 'at once'),
    rename(0, 0, 0, 'calm'),
  ],
}

function rename(device: number, tab: number, after: number, meanwhile: 'at once' | 'calm') {
  const wish = { does: 'rename todo' as const, which: 0, value: 0 }
  return { after, meanwhile, device, tab, do: 'change' as const, wish }
}

describeEachEngine('the devices of a person', (openEmpty) => {
  it(
    'all show the same in the end, and of what was changed on each of them nothing is lost but by the rule',
    async () => {
      const database = await openEmpty()
      let time = new PlayedTime(0)
      const daymark = openApplication(database, { clock: () => time.now })
      let people = 0

      await fc.assert(
        fc.asyncProperty(schedule, async (schedule) => {
          const user = `person-${++people}`
          const cookie = await signIn(daymark, database, user)
          time = new PlayedTime(Date.UTC(2026, 10, 16, 20))
          const play = new Play({ daymark, user, cookie, time, schedule })
          networks = play.networks
          try {
            await play.play()
            await expectTheEnd(play, async (path) => (await daymark.ask('GET', path, { cookie })).body)
          } finally {
            play.close()
          }
        }),
        { numRuns: runs(5_000, 40), examples: [[changedInAnotherTab]] },
      )
    },
    runs(7_200_000, 60_000),
  )
})

async function expectTheEnd(
  { devices, changes, told, hidden, misdated }: Play,
  ask: (path: string) => Promise<unknown>,
) {
  expect(devices.flatMap(({ network }) => network.surprises)).toEqual([])
  expect(hidden).toEqual([])
  expect(Math.max(...misdated)).toBeLessThan(clocksAgree)

  const truth = await viewOfServer(ask)
  for (const { tabs, told } of devices) {
    for (const { sync, view } of tabs) {
      expect(view()).toEqual(truth)
      const notices = sync.outbox.notices.flatMap(({ texts }) => texts)
      expect(told.filter(({ text }) => !notices.includes(text))).toEqual([])
    }
  }

  const end = await fieldsOfServer(truth, changes, ask)
  expect(breaches(changes, told, (list, row) => end.get(list)?.get(row))).toEqual([])
}
