import * as z from 'zod/mini'
import { subtasksOf } from '#features/todos/todo/subtasks.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import { fieldsOf, fieldsOfServer, type View, viewOfServer } from '../people/view.ts'
import { wrongAmounts } from '../rules/amount-rule.ts'
import { expectedStanding, familyViolations } from '../rules/family-rule.ts'
import { lateViolations } from '../rules/late-rule.ts'
import { violations } from '../rules/rule.ts'
import { wrongStarts } from '../rules/start-rule.ts'
import { tagField, tagViolations } from '../rules/tag-rule.ts'
import type { PlayedDevice } from './device.ts'
import type { Play } from './play.ts'

type Ask = (path: string) => Promise<unknown>

const timerSchema = z.object({ timer: z.object({ status: z.string() }) })

/**
 * Lists what is wrong when everything has come to rest: on the server, on the devices, and in what people were told. Each problem
 * begins with its kind.
 */
export async function problemsAtTheEnd(play: Play, ask: Ask): Promise<string[]> {
  const truth = await viewOfServer(ask)
  return [
    ...play.devices.flatMap(({ network }) =>
      network.unexpected.map((each) => `unexpected response: ${told(each)}`),
    ),
    ...play.stuck.map((each) => `stuck: ${each}`),
    ...play.hidden.map((each) => `hidden: ${each}`),
    ...play.devices.flatMap((device) => [
      ...unlikeServer(device, truth),
      ...unstored(device),
      ...wronglyTold(play, device),
    ]),
    ...(await wrongOnServer(play, truth, ask)),
  ]
}

function unlikeServer({ place, tabs, leftBehind }: PlayedDevice, truth: View): string[] {
  return [
    ...leftBehind.map((left) => `left behind: device ${place} kept ${told(left)} after a sign-out`),
    ...tabs.flatMap(({ sync, view }) => {
      const shown = new Map(Object.entries(view()))
      const { waiting } = sync.outbox
      return [
        ...(waiting > 0 ? [`stuck: device ${place} still has ${waiting} changes in its queue`] : []),
        ...Object.entries(truth)
          .filter(([name, rows]) => told(shown.get(name)) !== told(rows))
          .map(
            ([name, rows]) =>
              `diverged: device ${place} shows ${name} ${told(shown.get(name))}, not ${told(rows)}`,
          ),
      ]
    }),
  ]
}

/** Changes that are not in the store although a tab still waits for that, or was told that they are. */
function unstored({ place, tabs, confirmed, stored }: PlayedDevice): string[] {
  const waiting = tabs.flatMap(({ unstored }) => [...unstored])
  const lost = [...confirmed].filter((number) => !stored.has(number))
  return [
    ...waiting.map((number) => `never stored: device ${place} did not store #${number}`),
    ...lost.map((number) => `never stored: device ${place} said that #${number} is stored`),
  ]
}

/** Whoever was told of a change is told until they have read it, and of a failed change only if a request of its row failed. */
function wronglyTold({ changes }: Play, { place, tabs, reported, late, network }: PlayedDevice): string[] {
  const failed = new Set(reported.filter(({ failed }) => failed).map(({ change }) => change))
  return [
    ...changes
      .filter(
        ({ number, row }) => failed.has(number) && !network.failed.some((request) => isOfRow(request, row)),
      )
      .map(({ number }) => `told without a reason: device ${place} was told that #${number} failed`),
    ...tabs.flatMap(({ sync }) => {
      const shown = sync.outbox.failedWrites.flatMap(({ texts }) => texts)
      return [...reported, ...late]
        .filter(({ text }) => !shown.includes(text))
        .map(({ text }) => `no longer told: device ${place} does not tell of ${text}`)
    }),
  ]
}

async function wrongOnServer(play: Play, truth: View, ask: Ask): Promise<string[]> {
  const { changes, reported, added, arrived, timerRuns } = play
  const rows = [...fieldsOf(truth).values()].flatMap((list) => [...list.keys()])
  const end = await fieldsOfServer(truth, changes, ask)
  const todos = truth.todos ?? []
  const shown = end.get(todoCollection.name)
  const late = new Set(play.late.map(({ change }) => change))
  const { status } = timerSchema.parse(await ask('/api/focus/timer')).timer
  return [
    // An untouched editor sends nothing.
    ...changes
      .filter(({ kind, fields }) => kind === 'edit' && fields.size === 0)
      .map(({ number }) => `sent without need: #${number} changes nothing`),
    ...rows.filter((row) => !added.has(row)).map((row) => `out of nowhere: nobody added ${row}`),
    ...(status === (timerRuns ? 'running' : 'idle') ? [] : [`timer: it is ${status}`]),
    ...violations(changes, reported, (list, row) => end.get(list)?.get(row)).map((each) => `lost: ${each}`),
    ...lateViolations(arrived, reported, late).map((each) => `late: ${each}`),
    ...(await wrongAmounts(changes, ask)).map((each) => `amounts: ${told(each)}`),
    ...(await wrongStarts(changes, reported, ask)).map((each) => `starts: ${told(each)}`),
    ...familyViolations(changes, reported, (row) => shown?.get(row)).map((each) => `families: ${told(each)}`),
    ...wrongStanding(todos).map((each) => `standing: ${each}`),
    ...tagViolations(changes, reported, new Map(todos.map(({ id, tags }) => [id, tags]))).map(
      (each) => `tags: ${told(each)}`,
    ),
  ]
}

function wrongStanding(todos: readonly Todo[]): string[] {
  const { top, byParent } = subtasksOf(todos)
  const standing = new Map<string, string | undefined>(top.map(({ id }) => [id, undefined] as const))
  for (const [parent, subtasks] of byParent) for (const { id } of subtasks) standing.set(id, parent)
  const expected = expectedStanding(todos)
  return [...new Set([...standing.keys(), ...expected.keys()])]
    .filter((id) => standing.has(id) !== expected.has(id) || standing.get(id) !== expected.get(id))
    .map((id) => `${id} stands below ${standing.get(id)}, not below ${expected.get(id)}`)
}

/** There is one row of preferences, which no request names, and a tag everywhere is none. */
function isOfRow(request: string, row: string): boolean {
  if (row.startsWith(tagField(''))) return request.includes(`/api/tags/${row.slice(tagField('').length)}`)
  return request.includes(row === 'all' ? '/api/preferences' : row)
}

function told(thing: unknown): string {
  if (thing instanceof Error) return thing.stack ?? thing.message
  return typeof thing === 'string' ? thing : (JSON.stringify(thing) ?? 'nothing')
}
