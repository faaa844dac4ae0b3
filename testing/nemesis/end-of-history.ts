import { fieldsOf, fieldsOfServer, viewOfServer } from '#app/testing/convergence/people/view.ts'
import type { Play } from '#app/testing/convergence/play/play.ts'
import { wrongAmounts } from '#app/testing/convergence/rules/amount-rule.ts'
import { expectedStanding, familyViolations } from '#app/testing/convergence/rules/family-rule.ts'
import { lateViolations } from '#app/testing/convergence/rules/late-rule.ts'
import { violations } from '#app/testing/convergence/rules/rule.ts'
import { wrongStarts } from '#app/testing/convergence/rules/start-rule.ts'
import { tagViolations } from '#app/testing/convergence/rules/tag-rule.ts'
import { subtasksOf } from '#features/todos/todo/subtasks.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import type { History } from './guarantees/history.ts'
import { brokenGuarantees } from './guarantees/session-guarantees.ts'
import { type OverriddenTexts, textsOverridden } from './guarantees/texts-overridden.ts'

type Ask = (path: string) => Promise<unknown>

export interface EndOfHistory {
  /** Whatever is lost, differs, is stuck or went back; expected to be empty. */
  problems: string[]
  changes: number
  /** What became of the texts that the server has taken. */
  texts: OverriddenTexts
}

/** Looks at what is left when everything has come to rest: on the server, on every client, and in what the pages showed meanwhile. */
export async function endOf(play: Play, events: History, ask: Ask): Promise<EndOfHistory> {
  const { changes, reported, arrived } = play
  const told = new Set([...reported, ...play.late].map(({ change }) => change))
  const acknowledged = new Set(
    arrived
      .filter(({ arrivals }) => arrivals.some(({ to }) => to < Number.POSITIVE_INFINITY))
      .map(({ number }) => number),
  )
  const problems = [
    ...unexpectedResponses(play),
    ...(await clientsThatDiffer(play, ask)),
    ...(await lostChanges(play, ask)),
    ...brokenGuarantees(events, changes, told),
  ]
  const texts = textsOverridden(events, changes, told, acknowledged)
  return { problems, changes: changes.length, texts }
}

function unexpectedResponses({ devices }: Play): string[] {
  return devices.flatMap(({ network }) =>
    network.unexpected.map(
      (each) => `nobody expected ${each instanceof Error ? each.stack : JSON.stringify(each)}`,
    ),
  )
}

async function clientsThatDiffer({ devices }: Play, ask: Ask): Promise<string[]> {
  const truth = Object.entries(await viewOfServer(ask))
  return devices.flatMap(({ place, tabs, leftBehind }) => [
    ...leftBehind.map((left) => `client ${place} kept ${JSON.stringify(left)} after a sign-out`),
    ...tabs.flatMap(({ sync, view }) => {
      const shown = new Map(Object.entries(view()))
      const { waiting } = sync.outbox
      return [
        ...(waiting > 0 ? [`client ${place} still has ${waiting} in its queue`] : []),
        ...truth.flatMap(([name, rows]) => {
          const [here, there] = [JSON.stringify(shown.get(name)), JSON.stringify(rows)]
          return here === there
            ? []
            : [`client ${place} shows other ${name}: ${here} where the server has ${there}`]
        }),
      ]
    }),
  ])
}

async function lostChanges(play: Play, ask: Ask): Promise<string[]> {
  const { changes, reported, added } = play
  const truth = await viewOfServer(ask)
  const rows = [...fieldsOf(truth).values()].flatMap((list) => [...list.keys()])
  const end = await fieldsOfServer(truth, changes, ask)
  const shown = end.get(todoCollection.name)
  const todos = truth.todos ?? []
  const late = new Set(play.late.map(({ change }) => change))
  return [
    ...rows.filter((row) => !added.has(row)).map((row) => `nobody added ${row}`),
    ...violations(changes, reported, (list, row) => end.get(list)?.get(row)),
    ...lateViolations(play.arrived, reported, late),
    ...(await wrongAmounts(changes, ask)),
    ...(await wrongStarts(changes, reported, ask)),
    ...familyViolations(changes, reported, (row) => shown?.get(row)),
    ...tagViolations(changes, reported, new Map(todos.map(({ id, tags }) => [id, tags]))),
    ...wrongStanding(todos),
  ]
}

function wrongStanding(todos: readonly Todo[]): string[] {
  const { top, byParent } = subtasksOf(todos)
  const below = [...byParent].flatMap(([parent, subtasks]) => subtasks.map(({ id }) => [id, parent] as const))
  const standing = new Map<string, string | undefined>([
    ...top.map(({ id }) => [id, undefined] as const),
    ...below,
  ])
  return [...expectedStanding(todos)]
    .filter(([id, parent]) => standing.get(id) !== parent)
    .map(([id, parent]) => `${id} stands below ${standing.get(id)} instead of ${parent}`)
}
