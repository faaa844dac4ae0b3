import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { subtasksOf } from '#features/todos/todo/subtasks.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { fieldsOf, fieldsOfServer, viewOfServer } from '../testing/convergence/people/view.ts'
import type { Play } from '../testing/convergence/play/play.ts'
import { openPlays, simulateBrowsers } from '../testing/convergence/play/played-people.ts'
import { everyClash, habitSchedule, type Schedule, schedule } from '../testing/convergence/play/schedule.ts'
import { wrongAmounts } from '../testing/convergence/rules/amount-rule.ts'
import { expectedStanding, familyViolations } from '../testing/convergence/rules/family-rule.ts'
import { lateViolations } from '../testing/convergence/rules/late-rule.ts'
import { clockTolerance, violations } from '../testing/convergence/rules/rule.ts'
import { wrongStarts } from '../testing/convergence/rules/start-rule.ts'
import { staleNumbers } from '../testing/convergence/rules/sum-rule.ts'
import { tagField, tagViolations } from '../testing/convergence/rules/tag-rule.ts'

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
  const { devices, changes, reported, hidden, timestampErrors, added, timerRuns } = play
  expect(devices.flatMap(({ network }) => network.unexpected)).toEqual([])
  expect(hidden).toEqual([])
  expect(Math.max(...timestampErrors)).toBeLessThan(clockTolerance)

  const truth = await viewOfServer(ask)
  for (const { tabs, reported, late, network, leftBehind } of devices) {
    expect(leftBehind).toEqual([])
    const rowsOfFailed = changes.filter(({ number }) =>
      reported.some((each) => each.failed && each.change === number),
    )
    expect(
      rowsOfFailed.filter(({ row }) => !network.failed.some((request) => isOfRow(request, row))),
    ).toEqual([])
    for (const { sync, view } of tabs) {
      expect(view()).toEqual(truth)
      const failedWrites = sync.outbox.failedWrites.flatMap(({ texts }) => texts)
      expect([...reported, ...late].filter(({ text }) => !failedWrites.includes(text))).toEqual([])
    }
  }

  // An untouched editor sends nothing.
  expect(changes.filter(({ kind: action, fields }) => action === 'edit' && fields.size === 0)).toEqual([])

  const rows = [...fieldsOf(truth).values()].flatMap((list) => [...list.keys()])
  expect(rows.filter((row) => !added.has(row))).toEqual([])
  expect(await ask('/api/focus/timer')).toMatchObject({ timer: { status: timerRuns ? 'running' : 'idle' } })

  const end = await fieldsOfServer(truth, changes, ask)
  expect(violations(changes, reported, (list, row) => end.get(list)?.get(row))).toEqual([])
  const late = new Set(play.late.map(({ change }) => change))
  expect(lateViolations(play.arrived, reported, late)).toEqual([])
  expect(await wrongAmounts(changes, ask)).toEqual([])
  expect(await wrongStarts(changes, reported, ask)).toEqual([])
  const todos = truth.todos ?? []
  const shown = end.get(todoCollection.name)
  expect(familyViolations(changes, reported, (row) => shown?.get(row))).toEqual([])
  expect(standingOf(todos)).toEqual(expectedStanding(todos))
  expect(tagViolations(changes, reported, new Map(todos.map(({ id, tags }) => [id, tags])))).toEqual([])
}

/** The parent below which a screen shows each to-do. */
function standingOf(todos: readonly Todo[]): Map<string, string | undefined> {
  const { top, byParent } = subtasksOf(todos)
  const below = [...byParent].flatMap(([parent, subtasks]) => subtasks.map(({ id }) => [id, parent] as const))
  return new Map<string, string | undefined>([...top.map(({ id }) => [id, undefined] as const), ...below])
}

/** There is one row of preferences, which no request names, and a tag everywhere is none. */
function isOfRow(request: string, row: string): boolean {
  if (row.startsWith(tagField(''))) return request.includes(`/api/tags/${row.slice(tagField('').length)}`)
  return request.includes(row === 'all' ? '/api/preferences' : row)
}
