import fc from 'fast-check'
import { textOf } from '#app/testing/convergence/people/one-change.ts'
import type { Change } from '#app/testing/convergence/rules/rule.ts'
import type { HistoryEvent } from './history.ts'
import { change, made, opened, shows } from './sample-history.ts'

/** A history as of one store that everyone writes to and reads from at once. */
export interface LinearHistory {
  history: HistoryEvent[]
  changes: Change[]
}

const rows = ['tea', 'milk', 'bread']
const fields = ['title', 'note']

type Step = { page: number } & (
  | { do: 'read' | 'reopen' }
  | { do: 'write' | 'undo'; row: string; field: string }
)

const page = fc.integer({ min: 1, max: 4 })
const place = { page, row: fc.constantFrom(...rows), field: fc.constantFrom(...fields) }
const acts: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('read' as const), page }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), page }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), ...place }) },
)
const undo: fc.Arbitrary<Step> = fc.record({ do: fc.constant('undo' as const), ...place })

/** Of four pages, two of them on one device. A page reads when it is opened, and shows its own changes at once. */
export const linearHistories = linearHistoriesOf(
  fc.oneof({ weight: 11, arbitrary: acts }, { weight: 2, arbitrary: undo }),
)

/** No text comes back. */
export const linearHistoriesWithoutUndo = linearHistoriesOf(acts)

function linearHistoriesOf(step: fc.Arbitrary<Step>): fc.Arbitrary<LinearHistory> {
  return fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }).map(played)
}

/** The changes of one text that count, the last one at the end. */
type Stack = { number: number; text: number; page: number }[]

function textsIn(store: ReadonlyMap<string, Stack>): Map<string, number | undefined> {
  return new Map([...store].map(([name, stack]) => [name, stack.at(-1)?.text]))
}

function played(steps: readonly Step[]): LinearHistory {
  const history: HistoryEvent[] = []
  const changes: Change[] = []
  const store = new Map<string, Stack>()
  const pages = new Map<number, { number: number; device: number; shown: Map<string, number | undefined> }>()
  const open = (place: number) => {
    const device = Math.min(place, 3)
    const stored = changes.filter((each) => each.device === device).map(({ number }) => number)
    const number = history.filter(({ kind }) => kind === 'opened').length + 1
    history.push(opened(number, device, stored))
    const created = { number, device, shown: textsIn(store) }
    pages.set(place, created)
    return created
  }
  for (const step of steps) {
    const page = pages.get(step.page) ?? open(step.page)
    const show = (row: string) => {
      const texts = fields.flatMap((field) => {
        const text = page.shown.get(`${row} ${field}`)
        return text === undefined ? [] : [[field, text] as const]
      })
      history.push(shows(page.number, Object.fromEntries(texts), row))
    }
    if (step.do === 'reopen') open(step.page)
    if (step.do === 'read') {
      page.shown = textsIn(store)
      for (const row of rows) show(row)
    }
    if (step.do !== 'write' && step.do !== 'undo') continue
    const { row, field } = step
    const name = `${row} ${field}`
    const stack = store.get(name) ?? []
    store.set(name, stack)
    const number = changes.length + 1
    const last = stack.at(-1)
    if (step.do === 'write') {
      changes.push(change(number, page.device, { row, texts: { [field]: textOf(number) } }))
      stack.push({ number, text: number, page: page.number })
    } else {
      const undone = changes.find((each) => each.number === last?.number)
      // A page undoes its own changes, as long as it shows them.
      if (!undone || last?.page !== page.number || page.shown.get(name) !== last.text) continue
      const ofText = changes.filter((each) => each.row === row && each.fields.has(field))
      const at = Math.max(...ofText.map((each) => each.at)) + 1
      stack.pop()
      const text = stack.at(-1)?.text
      const texts = { [field]: text === undefined ? '' : textOf(text) }
      const pressed = change(number, page.device).at
      const undo = change(number, page.device, { row, texts, pressed })
      changes.push({ ...undo, at, earliest: at })
    }
    history.push(made(page.number, number))
    page.shown.set(name, stack.at(-1)?.text)
    show(row)
  }
  return { history, changes }
}
