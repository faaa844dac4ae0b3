import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { fieldsOf, viewOfServer } from '../testing/convergence/people/view.ts'
import type { Play } from '../testing/convergence/play/play.ts'
import { openPlays, simulateBrowsers } from '../testing/convergence/play/played-people.ts'
import { serverClockSchedule, serverWasAhead } from '../testing/convergence/play/server-clock-schedule.ts'
import { lostInSilence } from '../testing/convergence/rules/server-clock-rule.ts'

// Several devices of one person change the same rows while the clock of the server is two days ahead and is set right again, and
// while the clocks of two processes differ. Whatever was stored with a wrong instant, nothing is lost without a word.

simulateBrowsers()

describeEachEngine('The devices of a server whose clock is wrong for a time', (openEmpty, engine) => {
  it(
    'show the same in the end, what is done once it is right stands, and what is lost is told',
    async () => {
      const played = openPlays(await openEmpty())
      await fc.assert(
        fc.asyncProperty(serverClockSchedule, (schedule) =>
          played(schedule, Date.UTC(2026, 10, 16, 20), ({ play, ask }) => expectTheEnd(play, ask)),
        ),
        {
          numRuns: runs(5_000, engine === 'sqlite' ? 4 : 3),
          examples: serverWasAhead.map((schedule) => [schedule]),
        },
      )
    },
    runs(7_200_000, 600_000),
  )
})

async function expectTheEnd(play: Play, ask: (path: string) => Promise<unknown>) {
  const { devices, reported, late, overruled, arrived } = play
  expect(devices.flatMap(({ network }) => network.unexpected)).toEqual([])
  expect(overruled).toEqual([])
  const truth = await viewOfServer(ask)
  for (const { tabs } of devices) for (const { view } of tabs) expect(view()).toEqual(truth)
  const told = new Set([...reported, ...late].map(({ change }) => change))
  const shown = fieldsOf(truth)
  expect(lostInSilence(arrived, told, (list, row) => shown.get(list)?.get(row))).toEqual([])
}
