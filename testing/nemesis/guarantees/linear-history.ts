import fc from 'fast-check'
import { textOf } from '#app/testing/convergence/people/one-change.ts'
import type { Change } from '#app/testing/convergence/rules/rule.ts'
import type { HistoryEvent, Value } from './history.ts'
import { change, made, opened, showsValues } from './sample-history.ts'

/** A history as of one store that everyone writes to and reads from at once. */
export interface LinearHistory {
  history: HistoryEvent[]
  changes: Change[]
}

const rows = ['tea', 'milk', 'bread']
const texts = ['title', 'note']
const added: Readonly<Record<string, Value>> = { title: '', note: '', completed: 0 }

type Step = { page: number } & (
  | { do: 'read' | 'reopen' }
  | { do: 'write' | 'undo'; row: string; field: string }
)

const page = fc.integer({ min: 1, max: 4 })

function actsIn(fields: readonly string[]): fc.Arbitrary<Step> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('read' as const), page }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), page }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), ...placeIn(fields) }) },
  )
}

function placeIn(fields: readonly string[]) {
  return { page, row: fc.constantFrom(...rows), field: fc.constantFrom(...fields) }
}

const all = Object.keys(added)
const undo: fc.Arbitrary<Step> = fc.record({ do: fc.constant('undo' as const), ...placeIn(all) })

/** Of four pages, two of them on one device. A page reads when it is opened, and shows its own changes at once. */
export const linearHistories = linearHistoriesOf(
  fc.oneof({ weight: 11, arbitrary: actsIn(all) }, { weight: 2, arbitrary: undo }),
)

/** People only type, and no text comes back. */
export const linearHistoriesOfTyping = linearHistoriesOf(actsIn(texts))

function linearHistoriesOf(step: fc.Arbitrary<Step>): fc.Arbitrary<LinearHistory> {
  return fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }).map(played)
}

/** The changes of one field that count, the last one at the end. */
type Stack = { number: number; value: Value; page: number }[]

function valuesIn(store: ReadonlyMap<string, Stack>): Map<string, Value> {
  return new Map([...store].flatMap(([name, stack]) => stack.slice(-1).map(({ value }) => [name, value])))
}

function initial(field: string): Value {
  return added[field] ?? null
}

function played(steps: readonly Step[]): LinearHistory {
  const history: HistoryEvent[] = []
  const changes: Change[] = rows.map((row, place) =>
    change(place + 1, undefined, { kind: 'add', row, fields: added }),
  )
  const store = new Map<string, Stack>()
  const pages = new Map<number, { number: number; device: number; shown: Map<string, Value> }>()
  const open = (place: number) => {
    const device = Math.min(place, 3)
    const stored = changes.filter((each) => each.device === device).map(({ number }) => number)
    const number = history.filter(({ kind }) => kind === 'opened').length + 1
    history.push(opened(number, device, stored))
    const created = { number, device, shown: valuesIn(store) }
    pages.set(place, created)
    return created
  }
  for (const step of steps) {
    const page = pages.get(step.page) ?? open(step.page)
    const show = (row: string) => {
      const values = all.map((field) => [field, page.shown.get(`${row} ${field}`) ?? initial(field)] as const)
      history.push(showsValues(page.number, Object.fromEntries(values), row))
    }
    if (step.do === 'reopen') open(step.page)
    if (step.do === 'read') {
      page.shown = valuesIn(store)
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
      const ticked = page.shown.get(name) === 1 ? 0 : 1
      const value = field === 'completed' ? ticked : textOf(number)
      changes.push(change(number, page.device, { row, fields: { [field]: value } }))
      stack.push({ number, value, page: page.number })
    } else {
      const undone = changes.find((each) => each.number === last?.number)
      // A page undoes its own changes, as long as it shows them.
      if (!undone || last?.page !== page.number || page.shown.get(name) !== last.value) continue
      const ofField = changes.filter((each) => each.row === row && each.fields.has(field))
      const at = Math.max(...ofField.map((each) => each.at)) + 1
      stack.pop()
      const broughtBack = { [field]: stack.at(-1)?.value ?? initial(field) }
      const pressed = change(number, page.device).at
      const undo = change(number, page.device, { row, fields: broughtBack, pressed })
      changes.push({ ...undo, at, earliest: at })
    }
    history.push(made(page.number, number))
    page.shown.set(name, stack.at(-1)?.value ?? initial(field))
    show(row)
  }
  return { history, changes }
}
