import { describe, expect, test } from 'vitest'
import { todoCommands } from '#features/todos/board/use-todo-commands.ts'
import { dateAll, settleUndoably } from '#features/todos/dates/web/due-actions.ts'
import { detailsActions } from '#features/todos/details/details-actions.ts'
import { boardActions } from '#features/todos/row/board-actions.ts'
import { chosenActions } from '#features/todos/selection/chosen-actions.ts'
import { todos } from '#features/todos/testing/todos.ts'
import { calendar, idOf, today, World } from '#features/todos/testing/world.ts'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import type { Todo } from '../todo.ts'
import { type TodoActions, todoActions } from './todo-actions.ts'

const day = (text: string): Day => daySchema.parse(text)
const tomorrow = day('2026-11-26')

/** A device on which somebody does things: what is shown, what was said, and what can be undone. */
class Person {
  readonly world: World
  /** What was said with an offer to undo it, and to what it was done. */
  said: [string, string][] = []
  /** The rows that were announced before they changed. */
  announced: string[] = []

  constructor(rows: readonly Todo[]) {
    this.world = new World(rows)
  }

  async does(doIt: (actions: TodoActions) => unknown): Promise<void> {
    const { world } = this
    let done: unknown
    await world.act((write) => {
      const actions = todoActions({
        ...calendar,
        write,
        offerUndo: (title, { row, ...offer }) => {
          world.changes.describeChange({ title, toastId: row.subject, ...offer })
          this.said.push([title, offer.description])
        },
        announceRows: (ids) => void this.announced.push(...ids),
        allTodos: () => world.shown,
        now: () => world.now,
        newId: world.newId,
      })
      done = doIt(actions)
    })
    await done
  }

  row(id: number): Todo {
    const row = this.world.shown.find((each) => each.id === idOf(id))
    if (!row) throw new Error(`No row ${id}`)
    return row
  }

  get titles(): string[] {
    return this.world.shown.toSorted((a, b) => (a.position < b.position ? -1 : 1)).map(({ title }) => title)
  }
}

const water = todos.wire({
  id: idOf(5),
  title: 'Water',
  due_day: today,
  repeat: { freq: 'day', every: 1, mode: 'due', from: today },
})
const family = [
  todos.wire({ id: idOf(1), title: 'Trip', due_day: today }),
  todos.wire({ id: idOf(2), title: 'Pack', parent_id: idOf(1) }),
  todos.wire({ id: idOf(3), title: 'Book', parent_id: idOf(1) }),
  todos.wire({ id: idOf(4), title: 'Map', parent_id: idOf(1), completed: 1 }),
  water,
]

describe('completing a task', () => {
  test('completes its open subtasks, says how many, and is one change to undo', async () => {
    const ada = new Person(family)
    await ada.does((actions) => onBoard(actions).setCompleted(ada.row(1), true))
    expect(ada.said).toEqual([['Task and 2 subtasks completed', 'Trip']])
    expect([1, 2, 3].map((id) => ada.row(id).completed)).toEqual([1, 1, 1])

    await ada.world.undoOrRedo('undo')
    expect([1, 2, 3, 4].map((id) => ada.row(id).completed)).toEqual([0, 0, 0, 1])
  })

  test('offers nothing where its row shows what was done', async () => {
    const ada = new Person(family)
    await ada.does((actions) => onBoard(actions).setCompleted(ada.row(2), true))
    expect(ada.row(2).completed).toBe(1)
    expect(ada.said).toEqual([])
  })

  test('completes the occurrence of one that repeats, and says when the next is', async () => {
    const ada = new Person(family)
    await ada.does((actions) => onBoard(actions).setCompleted(ada.row(5), true))
    expect(ada.row(5).settled).toMatchObject([{ day: today, state: 'done', done_on: today }])
    expect(ada.said).toEqual([['Task completed, next tomorrow', 'Water']])
  })

  test('is told in the palette, which shows no row', async () => {
    const ada = new Person(family)
    await ada.does((actions) => todoCommands(actions).tick(ada.row(2)))
    await ada.does((actions) => todoCommands(actions).tick(ada.row(2)))
    expect(ada.said).toEqual([
      ['Task completed', 'Pack'],
      ['Task reopened', 'Pack'],
    ])
  })

  test('holds the row before it could leave', async () => {
    const ada = new Person(family)
    const order: string[] = []
    await ada.does((actions) => {
      const complete: TodoActions['complete'] = (...args) => {
        order.push('complete')
        return actions.complete(...args)
      }
      onBoard({ ...actions, complete }, order).setCompleted(ada.row(2), true)
    })
    expect(order).toEqual(['hold', 'complete'])
  })
})

describe('a new due day', () => {
  test('of one that repeats moves the open occurrence, whatever changes with it', async () => {
    const ada = new Person([{ ...water, repeat: { freq: 'week', every: 1, mode: 'due', from: today } }])
    await ada.does((actions) => onBoard(actions).edit(ada.row(5), { due_day: tomorrow, priority: 2 }))
    expect(ada.row(5)).toMatchObject({ priority: 2, settled: [{ day: today, moved_to: tomorrow }] })
  })

  test('of several leaves alone what comes back by itself before, and says so', async () => {
    const ada = new Person(family)
    await ada.does((actions) => dateAll(actions, [ada.row(1), ada.row(5)], tomorrow))
    expect([ada.row(1).due_day, ada.row(5).settled]).toEqual([tomorrow, undefined])
    expect(ada.announced).toEqual([idOf(1)])
    expect(ada.said).toEqual([['1 task moved to tomorrow', '1 task will come back anyway.']])
  })
})

describe('what is done to several tasks', () => {
  test('is one change, which is undone as a whole', async () => {
    const ada = new Person(family)
    await ada.does((actions) => chosenActions(actions).remove([ada.row(1), ada.row(2), ada.row(5)]))
    expect(ada.world.shown).toEqual([])
    expect(ada.said).toEqual([['2 tasks deleted', 'Trip and 1 more']])

    await ada.world.undoOrRedo('undo')
    expect(ada.world.shown).toHaveLength(5)
  })

  test('adds a tag only where it is missing', async () => {
    const ada = new Person([...family, todos.wire({ id: idOf(6), title: 'Tax', tags: ['Fun'] })])
    await ada.does((actions) => chosenActions(actions).addTag([ada.row(1), ada.row(6)], 'fun'))
    expect([ada.row(1).tags, ada.row(6).tags]).toEqual([['fun'], ['Fun']])
    expect(ada.said).toEqual([['#fun added to 1 task', 'Trip']])
  })
})

describe('a new task', () => {
  test('gets the list and the tag that are shown, unless another list is said', async () => {
    const ada = new Person([])
    const shown = { list: 'home', tag: 'Fun' }
    await ada.does((actions) => actions.add([{ title: 'Paint', tags: ['New'] }], { shown }))
    await ada.does((actions) => actions.add([{ title: 'Mow', list_id: 'garden' }], { shown }))
    const [mow, paint] = ada.world.shown
    expect(paint).toMatchObject({ list_id: 'home', tags: ['Fun', 'New'] })
    expect(mow).toMatchObject({ list_id: 'garden', tags: ['Fun'] })
  })

  test('goes with the list that is made for it when it is undone', async () => {
    const ada = new Person([])
    const made: string[] = []
    const list = { id: 'garden', make: () => Promise.resolve(made.push('garden') > 0) }
    await ada.does((actions) => todoCommands(actions).add({ title: 'Mow' }, list))
    expect(made).toEqual(['garden'])
    expect(ada.world.shown).toMatchObject([{ title: 'Mow', list_id: 'garden' }])
    expect(ada.said).toEqual([['Task added', 'Mow']])
  })

  test('stands first, and several in the order of their lines, also above one of a clock that is ahead', async () => {
    const ada = new Person([
      todos.wire({ id: idOf(1), title: 'Ahead', created_at: '2030-01-01T00:00:00.000Z' }),
    ])
    await ada.does((actions) => actions.add([{ title: 'One' }, { title: 'Two' }], {}))
    expect(ada.titles).toEqual(['One', 'Two', 'Ahead'])

    await ada.world.undoOrRedo('undo')
    expect(ada.titles).toEqual(['Ahead'])
  })
})

describe('in the details', () => {
  test('a copy stands right below, open, with its subtasks', async () => {
    const ada = new Person([
      ...family,
      todos.wire({ id: idOf(6), title: 'Tax', created_at: '2026-11-10T12:00:00.000Z' }),
    ])
    await ada.does((actions) => detailsActions(actions).duplicate(ada.row(1), [ada.row(2), ada.row(4)]))
    const top = ada.titles.filter((title) => ['Water', 'Trip', 'Tax'].includes(title))
    expect(top).toEqual(['Trip', 'Trip', 'Water', 'Tax'])
    const copy = ada.world.shown.find(({ id, title }) => title === 'Trip' && id !== idOf(1))
    const copied = ada.world.shown.filter(({ parent_id }) => parent_id === copy?.id)
    expect(new Set(copied.map(({ title, completed }) => `${title} ${completed}`))).toEqual(
      new Set(['Pack 0', 'Map 0']),
    )
    expect(ada.said).toEqual([['Task duplicated', 'Trip']])
  })

  test('what was skipped says of which day it was, and is open again when that is undone', async () => {
    const ada = new Person(family)
    await ada.does((actions) => settleUndoably(actions, ada.row(5), today, 'skipped'))
    expect(ada.row(5).settled).toMatchObject([{ day: today, state: 'skipped', done_on: today }])
    expect(ada.said).toEqual([['Skipped Wed 25 Nov', 'Water']])

    await ada.world.undoOrRedo('undo')
    expect(ada.row(5).settled?.map(({ state }) => state)).toEqual(['open'])
  })
})

test('a task that stays in its list is not moved, and nothing is said', async () => {
  const ada = new Person(family)
  await ada.does((actions) => actions.moveToList(ada.row(1), { from: undefined, to: undefined }))
  expect(ada.said).toEqual([])
  expect(ada.world.queue).toEqual([])
})

function onBoard(actions: TodoActions, order: string[] = []) {
  const noting = (name: string) => () => void order.push(name)
  const nothing = () => {}
  return boardActions(actions, {
    shown: { list: undefined, tag: undefined },
    hold: noting('hold'),
    release: noting('release'),
    glide: noting('glide'),
    focusNext: noting('focusNext'),
    showDetails: nothing,
    askForDates: nothing,
    openMenu: nothing,
  })
}
