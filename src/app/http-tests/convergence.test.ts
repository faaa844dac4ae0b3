import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { problemsAtTheEnd } from '../testing/convergence/play/end.ts'
import type { Play } from '../testing/convergence/play/play.ts'
import { openPlays, simulateBrowsers } from '../testing/convergence/play/played-people.ts'
import { everyClash, habitSchedule, type Schedule, schedule } from '../testing/convergence/play/schedule.ts'
import { clockTolerance } from '../testing/convergence/rules/rule.ts'
import { staleNumbers } from '../testing/convergence/rules/sum-rule.ts'

// Several devices of one person change the same few rows while offline, while requests are lost, repeated or delayed, and
// while tabs crash. The application, its database and the sync code of the tabs are real; network and time are simulated.
// The expected final state is computed from the changes alone (`testing/convergence/rules/rule.ts`).

simulateBrowsers()

/** Found once in about 10,000 runs: an older change fails just when another tab has changed the same row later. */
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
      intent: { action: 'delete todo', which: 0, value: 0 },
    },
    { after: 2_700_000, meanwhile: 'at once', device: 0, tab: 0, do: 'offline' },
    rename(2, 1, 60_000, 'at once'),
    rename(0, 0, 0, 'calm'),
  ],
}

/** Two changes of the same are sent together, the response is lost, and they are sent again: the person knows what they did last. */
const sentTogetherAgain: Schedule = {
  devices: [
    { tabs: 1, ahead: 0 },
    { tabs: 1, ahead: 0 },
  ],
  steps: [
    { after: 0, meanwhile: 'calm', device: 0, tab: 0, do: 'offline' },
    ...[rename(0, 0, 1_000, 'calm'), rename(0, 0, 1_000, 'calm')],
    ...(['rename list', 'rename habit', 'change theme'] as const).map((action) => {
      const intent = { action, which: 0, value: 1 }
      return { after: 1_000, meanwhile: 'calm', device: 0, tab: 0, do: 'change', intent } as const
    }),
    { after: 0, meanwhile: 'calm', device: 0, tab: 0, do: 'fates', of: 'writes', fates: ['unanswered'] },
    { after: 0, meanwhile: 'calm', device: 0, tab: 0, do: 'online' },
  ],
}

/** A clock is set back, and forward again, between what is done offline; one of the changes then comes too late. */
const clockSetOffline: Schedule = {
  devices: [
    { tabs: 1, ahead: 0 },
    { tabs: 1, ahead: 0 },
  ],
  steps: [
    { after: 0, meanwhile: 'calm', device: 0, tab: 0, do: 'offline' },
    { after: 0, meanwhile: 'calm', device: 0, tab: 0, do: 'set clock', by: -3_600_000 },
    rename(0, 0, 60_000, 'calm'),
    { after: 0, meanwhile: 'calm', device: 0, tab: 0, do: 'set clock', by: 3_600_000 },
    {
      after: 60_000,
      meanwhile: 'calm',
      device: 0,
      tab: 0,
      do: 'change',
      intent: { action: 'change theme', which: 0, value: 1 },
    },
    rename(1, 0, 60_000, 'calm'),
    { after: 60_000, meanwhile: 'calm', device: 0, tab: 0, do: 'online' },
  ],
}

/** An editor is open but untouched while its to-do is renamed on another device. */
const openWhileRenamed: Schedule = {
  devices: [
    { tabs: 1, ahead: 0 },
    { tabs: 1, ahead: 0 },
  ],
  steps: [
    edit('open'),
    rename(0, 0, 1_000, 'calm'),
    { after: 0, meanwhile: 'calm', device: 1, tab: 0, do: 'read' },
    edit('save'),
  ],
}

function edit(action: 'open' | 'save'): Schedule['steps'][number] {
  return {
    after: 1_000,
    meanwhile: 'calm',
    device: 1,
    tab: 0,
    do: 'editor',
    action,
    which: 0,
    value: 0,
  }
}

function rename(device: number, tab: number, after: number, meanwhile: 'at once' | 'calm') {
  const intent = { action: 'rename todo' as const, which: 0, value: 0 }
  return { after, meanwhile, device, tab, do: 'change' as const, intent }
}

describeEachEngine('the devices of a person', (openEmpty, engine) => {
  it(
    'all show the same in the end, and a change is lost only by the merge rule',
    async () => {
      const played = openPlays(await openEmpty())
      await fc.assert(
        fc.asyncProperty(schedule, (schedule) =>
          played(schedule, Date.UTC(2026, 10, 16, 20), ({ play, ask }) => expectTheEnd(play, ask)),
        ),
        {
          numRuns: runs(5_000, engine === 'sqlite' ? 6 : 5),
          examples: [[changedInAnotherTab], [openWhileRenamed], [sentTogetherAgain], [clockSetOffline]],
        },
      )
    },
    runs(7_200_000, 600_000),
  )

  it(
    'all show the same habits in the end, whatever was changed in their rhythms, amounts, skips and pauses',
    async () => {
      const played = openPlays(await openEmpty())
      await fc.assert(
        fc.asyncProperty(habitSchedule, (schedule) =>
          played(schedule, Date.UTC(2026, 10, 16, 20), async ({ play, ask, forgetSums }) => {
            await expectTheEnd(play, ask)
            expect(await staleNumbers(ask, forgetSums)).toEqual([])
          }),
        ),
        {
          numRuns: runs(5_000, engine === 'sqlite' ? 4 : 3),
          examples: [[everyClash]],
        },
      )
    },
    runs(7_200_000, 600_000),
  )
})

async function expectTheEnd(play: Play, ask: (path: string) => Promise<unknown>) {
  expect(Math.max(...play.timestampErrors)).toBeLessThan(clockTolerance)
  expect(await problemsAtTheEnd(play, ask)).toEqual([])
}
