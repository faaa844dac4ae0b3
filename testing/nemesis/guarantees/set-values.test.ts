import { describe, expect, it } from 'vitest'
import type { Change } from '#app/testing/convergence/rules/rule.ts'
import type { History, Value } from './history.ts'
import {
  change,
  hides,
  made,
  madeUnstored,
  opened,
  ofThreePages as pages,
  shows,
  showsValues,
} from './sample-history.ts'
import { brokenGuarantees } from './session-guarantees.ts'

// Whatever people tick and set has values that many changes may have given. Texts: session-guarantees.test.ts.

function broken(history: History, changes: readonly Change[], told: readonly number[] = []): string[] {
  return brokenGuarantees(history, changes, new Set(told)).map((problem) => problem.split(':')[0] ?? '')
}

/** A change that ticks (1) or reopens (0) the task 'tea', or another one. */
function ticks(number: number, device: number, completed: 0 | 1, row = 'tea'): Change {
  return change(number, device, { row, fields: { completed } })
}

const initial = { completed: 0, priority: 0, due_day: null, list_id: null, parent_id: null }

/** A task that device 3 added open, with nothing set. */
function added(number: number, row = 'tea', fields: Readonly<Record<string, Value>> = {}): Change {
  return change(number, 3, { row, kind: 'add', fields: { ...initial, ...fields } })
}

const isOpen = (page: number, row = 'tea') => showsValues(page, { completed: 0 }, row)
const isDone = (page: number, row = 'tea') => showsValues(page, { completed: 1 }, row)

describe('a page that is killed before its change is stored', () => {
  const three = [
    added(1),
    change(2, 3, { fields: { priority: 3 } }),
    change(3, 3, { fields: { priority: 1 } }),
  ]
  const begun = [made(3, 1), made(3, 2), made(3, 3), showsValues(1, { priority: 1 })]
  const lost = change(4, 1, { fields: { priority: 3 } })

  it('may show it until then, though another change had set the same before', () => {
    const history = pages(...begun, madeUnstored(1, lost), showsValues(1, { priority: 3 }))
    expect(broken(history, three)).toEqual([])
  })

  it('is not followed in that by any other page, nor in what it did not set', () => {
    const history = [...begun, showsValues(2, { priority: 1 }), madeUnstored(1, lost)]
    expect(broken(pages(...history, showsValues(2, { priority: 3 })), three)).toEqual(['monotonic reads'])
    expect(broken(pages(...history, showsValues(1, { priority: 0 })), three)).toEqual(['monotonic reads'])
  })

  it('may not show it again after another value', () => {
    const history = [...begun, madeUnstored(1, lost), showsValues(1, { priority: 3 })]
    const back = [showsValues(1, { priority: 1 }), showsValues(1, { priority: 3 })]
    expect(broken(pages(...history, ...back), three)).toEqual(['monotonic reads'])
    expect(broken(pages(...history, hides(1), ...back), three)).toEqual(['monotonic reads'])
  })

  it('may show the subtasks of a task that it ticked as ticked, too', () => {
    const parent = added(1, 'parent')
    const child = added(2, 'tea', { parent_id: 'parent' })
    const reopened = [ticks(3, 3, 1), ticks(4, 3, 0)]
    const all = [made(3, 1), made(3, 2), made(3, 3), isDone(1), made(3, 4), isOpen(1)]
    const tick = madeUnstored(1, ticks(5, 1, 1, 'parent'))
    expect(broken(pages(...all, tick, isDone(1)), [parent, child, ...reopened])).toEqual([])
    expect(broken(pages(...all, isDone(1)), [parent, child, ...reopened])).toEqual(['monotonic reads'])
  })
})

describe('read your writes', () => {
  const changes = [added(1), ticks(2, 1, 1)]
  const begun = [made(3, 1), isOpen(1)]

  it('a task stays ticked on the page that ticked it', () => {
    expect(broken(pages(...begun, made(1, 2), isDone(1)), changes)).toEqual([])
  })

  it('a task is not shown open again on the page that ticked it', () => {
    const problems = brokenGuarantees(pages(...begun, made(1, 2), isDone(1), isOpen(1)), changes, new Set())
    expect(problems[0]).toBe(
      'read your writes: page 1 of device 1 shows 0 by #1 (device 3, 2026-06-01T12:00:10.000Z) in todos tea completed, ' +
        'after it made #2 (device 1, 2026-06-01T12:00:20.000Z) (event 7)',
    )
  })

  it('a task may be shown open again once somebody has reopened it, not before', () => {
    const reopened = [...changes, ticks(3, 2, 0)]
    const done = [...begun, made(1, 2), isDone(1)]
    expect(broken(pages(...done, made(2, 3), isOpen(1)), reopened)).toEqual([])
    expect(broken(pages(...done, isOpen(1), made(2, 3)), reopened)).toContain('read your writes')
  })

  it('a task that was ticked, reopened and ticked is not shown open because it once was', () => {
    const thrice = [...changes, ticks(3, 1, 0), ticks(4, 1, 1)]
    const history = [...begun, ...[2, 3, 4].map((number) => made(1, number)), isDone(1)]
    expect(broken(pages(...history), thrice)).toEqual([])
    expect(broken(pages(...history, isOpen(1)), thrice)).toContain('read your writes')
  })

  it('holds on a page that is opened after its device had stored the tick', () => {
    const reopened = (stored: number[]) => [...pages(made(3, 1), made(1, 2)), opened(4, 1, stored), isOpen(4)]
    expect(broken(reopened([]), changes)).toEqual([])
    expect(broken(reopened([2]), changes)).toEqual(['read your writes'])
  })

  it('says nothing about a tick that the person was told about', () => {
    expect(broken(pages(...begun, made(1, 2), isDone(1), isOpen(1)), changes, [2])).toEqual([])
  })

  it.for<[string, Value, Value]>([
    ['priority', 0, 3],
    ['due_day', null, '2026-06-02'],
    ['list_id', null, 'kitchen'],
    ['2026-06-01', 'none', 'skipped'],
  ])('what was set as %s does not go back to what it was at first', ([field, first, set]) => {
    const changes = [added(1), change(2, 1, { fields: { [field]: set } })]
    const history = pages(made(3, 1), made(1, 2), showsValues(1, { [field]: set }))
    expect(broken(history, changes)).toEqual([])
    const back = [...history, showsValues(1, { [field]: first })]
    expect(broken(back, changes)).toContain('read your writes')
  })
})

describe('monotonic reads', () => {
  const changes = [added(1), ticks(2, 1, 1), ticks(3, 1, 0)]
  const begun = [made(3, 1), isOpen(2), made(1, 2), isDone(2)]

  it('a task that was seen ticked may be seen reopened', () => {
    expect(broken(pages(...begun, made(1, 3), isOpen(2)), changes)).toEqual([])
  })

  it('a task that was seen ticked is not shown open again, though it was hidden meanwhile', () => {
    expect(broken(pages(...begun, isOpen(2)), changes)).toEqual(['monotonic reads'])
    expect(broken(pages(...begun, hides(2), isOpen(2)), changes)).toEqual(['monotonic reads'])
  })

  it('a task that was seen ticked and reopened is not shown ticked again', () => {
    const history = [...begun, made(1, 3), isOpen(2), isDone(2)]
    expect(broken(pages(...history), changes)).toEqual(['monotonic reads'])
    expect(broken(pages(...history), [...changes, ticks(4, 3, 1)])).toEqual(['monotonic reads'])
    const again = [...history.slice(0, -1), made(3, 4), isDone(2)]
    expect(broken(pages(...again), [...changes, ticks(4, 3, 1)])).toEqual([])
  })

  it('allow what one of two changes would explain whose order no clock tells', () => {
    const close = [added(1), ticks(2, 1, 1), change(3, 2, { at: 20.5, fields: { completed: 0 } })]
    expect(broken(pages(made(3, 1), made(1, 2), made(2, 3), isDone(3), isOpen(3), isDone(3)), close)).toEqual(
      [],
    )
  })

  it('are broken by a value that each who may have set it has replaced since, as the page knows', () => {
    const sets = (number: number, device: number, at: number, priority: number) =>
      change(number, device, { at, fields: { priority } })
    const all = [sets(1, 1, 39.5, 3), sets(2, 2, 39.6, 3), sets(3, 1, 40, 1), sets(4, 2, 40.5, 2)]
    const made12 = [made(1, 1), made(2, 2)]
    const shown = (page: number, priority: number) => showsValues(page, { priority })
    const both = [...made12, made(1, 3), shown(3, 1), made(2, 4), shown(3, 2)]
    expect(broken(pages(...both, shown(3, 3)), all)).toEqual(['monotonic reads'])
    const one = [...made12, made(1, 3), made(2, 4), shown(1, 2)]
    expect(broken(pages(...one, shown(1, 3)), all)).toEqual(['monotonic reads'])
  })

  it('say nothing about a tick that the person was told about', () => {
    expect(broken(pages(...begun, isOpen(2)), changes, [2])).toEqual([])
  })
})

describe('the undo of a tick that others have taken back and set again', () => {
  // It counts as made right after what it takes back, so that the last tick stands.
  const pressed = Date.UTC(2026, 5, 1, 13)
  const undoes = (number: number, completed: 0 | 1) =>
    change(number, 1, { at: 20 + number / 1_000, fields: { completed }, pressed })
  const changes = [added(1), ticks(2, 1, 1), ticks(3, 2, 0), ticks(4, 2, 1), undoes(5, 0)]
  const seenOn = (...all: number[]) => [
    ...[made(3, 1), made(1, 2), ...all.map((page) => isDone(page))],
    ...[made(2, 3), ...all.map((page) => isOpen(page))],
    ...[made(2, 4), ...all.map((page) => isDone(page))],
  ]
  const begun = seenOn(1)

  it('is shown by its page until it is found too weak, and not again', () => {
    const undone = [...begun, made(1, 5), isOpen(1)]
    expect(broken(pages(...undone, hides(1), isOpen(1), isDone(1)), changes)).toEqual([])
    expect(broken(pages(...undone, isDone(1), isOpen(1)), changes)).toEqual(['monotonic reads'])
    expect(broken(pages(...begun, isOpen(1), made(1, 5)), changes)).toEqual(['monotonic reads'])
  })

  it('excuses no other field, and no other device', () => {
    const set = [change(6, 2, { fields: { priority: 3 } }), change(7, 2, { fields: { priority: 1 } })]
    const sees = (priority: number) => showsValues(1, { completed: 1, priority })
    const undone = [...begun, made(2, 6), sees(3), made(2, 7), sees(1), made(1, 5)]
    const back = showsValues(1, { completed: 0, priority: 3 })
    expect(broken(pages(...undone, back), [...changes, ...set])).toEqual(['monotonic reads'])
    expect(broken(pages(...seenOn(1, 3), made(1, 5), isOpen(3)), changes)).toEqual(['monotonic reads'])
  })

  it('excuses no other value, nor one that the next undo covers', () => {
    const sets = (number: number, device: number, priority: number) =>
      change(number, device, { fields: { priority } })
    const undo = (number: number, priority: number) =>
      change(number, 1, { at: 30 + number / 1_000, fields: { priority }, pressed })
    const all = [added(1), sets(2, 1, 1), sets(3, 1, 2), sets(4, 2, 0), sets(5, 2, 2), undo(6, 1), undo(7, 0)]
    const shown = (priority: number) => showsValues(4, { priority })
    const first = [opened(4, 1), made(3, 1), made(1, 2), shown(1), made(1, 3), shown(2)]
    const undone = [...first, made(2, 4), shown(0), made(2, 5), shown(2), made(1, 6)]
    expect(broken(pages(...undone, shown(0)), all)).toEqual(['monotonic reads'])
    const twice = [...undone, made(1, 7), shown(0), shown(2)]
    expect(broken(pages(...twice), all)).toEqual([])
    expect(broken(pages(...twice, shown(1)), all)).toEqual(['monotonic reads'])
  })

  it('does not tell that its page has read what another device set to the same', () => {
    const same = [added(1), ticks(2, 1, 1), ticks(3, 2, 0), undoes(5, 1), ticks(6, 2, 1)]
    const undone = [made(3, 1), made(1, 2), isDone(1), made(2, 3), isOpen(1), made(1, 5)]
    expect(broken(pages(...undone, made(2, 6), isDone(1), isOpen(1)), same)).toEqual([])
  })

  it('is shown by another page of its device, too, as soon as that knows of it, and once', () => {
    const other = [opened(4, 1), ...seenOn(1, 4), made(1, 5), isOpen(1), isOpen(4), isDone(4)]
    expect(broken(pages(...other), changes)).toEqual([])
    expect(broken(pages(...other, isOpen(4)), changes)).toEqual(['monotonic reads'])
  })

  it('is shown by a page that is opened while it waits, not later', () => {
    const own = [added(1), ticks(2, 1, 1), ticks(3, 1, 0), ticks(4, 1, 1), undoes(5, 0)]
    const undone = [made(3, 1), made(1, 2), made(1, 3), made(1, 4), isDone(1), made(1, 5), isOpen(1)]
    const later = [opened(4, 1, [2, 3, 4, 5]), isOpen(4)]
    expect(broken(pages(...undone, ...later), own)).toEqual([])
    expect(broken(pages(...undone, isDone(1), ...later), own)).toEqual(['read your writes'])
  })

  it('is redone and undone again on the page that shows it', () => {
    const again = [...changes, undoes(6, 1), undoes(7, 0)]
    const all = [...begun, made(1, 5), isOpen(1), made(1, 6), isDone(1), made(1, 7), isOpen(1), isDone(1)]
    expect(broken(pages(...all), again)).toEqual([])
    expect(broken(pages(...all, isOpen(1)), again)).toEqual(['monotonic reads'])
  })

  it('is shown in the subtasks that a redo completes along', () => {
    const family = [
      added(1),
      added(0, 'milk', { parent_id: 'tea' }),
      ticks(3, 2, 1, 'milk'),
      ticks(4, 2, 0, 'milk'),
    ]
    const redone = undoes(5, 1)
    const all = [made(3, 1), made(3, 0), made(2, 3), isDone(1, 'milk'), made(2, 4), isOpen(1, 'milk')]
    const ticked = [made(1, 5), isDone(1, 'milk'), isOpen(1, 'milk')]
    expect(broken(pages(...all, ...ticked), [...family, redone])).toEqual([])
    expect(broken(pages(...all, ...ticked, isDone(1, 'milk')), [...family, redone])).toEqual([
      'monotonic reads',
    ])
  })
})

describe('a subtask', () => {
  const changes = [
    added(1),
    added(2, 'milk', { parent_id: 'tea' }),
    ticks(3, 1, 1, 'milk'),
    ticks(4, 1, 0, 'milk'),
    ticks(5, 2, 1),
  ]
  const begun = [made(3, 1), made(3, 2), made(1, 3), made(1, 4), isOpen(1, 'milk')]

  it('is done with its parent', () => {
    expect(broken(pages(...begun, made(2, 5), isDone(1, 'milk')), changes)).toEqual([])
    expect(broken(pages(...begun, isDone(1, 'milk'), made(2, 5)), changes)).toContain('monotonic reads')
  })

  it('is done with a former parent of its parent', () => {
    const below = [added(6, 'cake'), change(7, 3, { fields: { parent_id: 'cake' } }), ticks(8, 2, 1, 'cake')]
    const history = pages(...begun, made(3, 6), made(3, 7), made(2, 8), isDone(1, 'milk'))
    expect(broken(history, [...changes.slice(0, -1), ...below])).toEqual([])
  })

  it('may be open again after a page showed it done with its parent, since it may have left the parent', () => {
    expect(broken(pages(...begun, made(2, 5), isDone(1, 'milk'), isOpen(1, 'milk')), changes)).toEqual([])
  })

  it('is not open again because its parent was done later', () => {
    const ticked = [...changes, ticks(6, 1, 1, 'milk')]
    const history = pages(...begun, made(2, 5), made(1, 6), isDone(1, 'milk'), isOpen(1, 'milk'))
    expect(broken(history, ticked)).toContain('read your writes')
  })
})

describe('monotonic writes', () => {
  // Device 1 sets a priority and then ticks.
  const changes = [added(1), change(2, 1, { fields: { priority: 3 } }), ticks(3, 1, 1)]
  const begun = [made(3, 1), made(1, 2), made(1, 3)]

  it('hold for a page that shows a task ticked with what was set in it before', () => {
    expect(broken(pages(...begun, showsValues(2, { completed: 1, priority: 3 })), changes)).toEqual([])
    expect(broken(pages(...begun, showsValues(2, { completed: 0, priority: 3 })), changes)).toEqual([])
  })

  it('are broken by a page that shows a task ticked without what was set in it before', () => {
    const shown = showsValues(2, { completed: 1, priority: 0 })
    expect(broken(pages(...begun, shown), changes)).toEqual(['monotonic writes'])
  })

  it('say nothing where somebody else may have ticked as well', () => {
    const other = [...changes, ticks(4, 3, 1)]
    const shown = showsValues(2, { completed: 1, priority: 0 })
    expect(broken(pages(...begun, made(3, 4), shown), other)).toEqual([])
  })

  it('know who ticked a task that a page saw reopened after all other ticks', () => {
    const twice = [added(1), ticks(2, 3, 1), ticks(3, 3, 0), change(4, 1, { fields: { priority: 3 } })]
    const all = [...twice, ticks(5, 1, 1)]
    const seen = [made(3, 1), made(3, 2), isDone(2), made(3, 3), isOpen(2), made(1, 4), made(1, 5)]
    expect(broken(pages(...seen, showsValues(2, { completed: 1, priority: 3 })), all)).toEqual([])
    const without = showsValues(2, { completed: 1, priority: 0 })
    expect(broken(pages(...seen, without), all)).toEqual(['monotonic writes'])
  })
})

describe('writes follow reads', () => {
  // Device 1 sees a task ticked and then types another one's title.
  const changes = [added(1), ticks(2, 3, 1), change(3, 1, { row: 'milk' })]
  const wrote = [made(3, 1), made(3, 2), isDone(1), made(1, 3)]
  const milk = shows(2, { title: 3 }, 'milk')

  it('hold for a page that shows a change and the tick that its device had seen', () => {
    expect(broken(pages(...wrote, milk, isDone(2)), changes)).toEqual([])
  })

  it('are broken by a page that shows a change, but not the tick that its device had seen', () => {
    expect(broken(pages(...wrote, milk, isOpen(2)), changes)).toEqual(['writes follow reads'])
  })

  it('hold where somebody reopened the task since', () => {
    const history = pages(...wrote, made(3, 4), milk, isOpen(2))
    expect(broken(history, [...changes, ticks(4, 3, 0)])).toEqual([])
  })

  it('are broken by a tick that is shown without a text that its device had seen', () => {
    const ticked = [added(1), change(2, 3), ticks(3, 1, 1, 'milk'), added(4, 'milk'), change(0, 3)]
    const seen = [made(3, 1), made(3, 4), shows(1, { title: 2 }), made(1, 3), isDone(2, 'milk')]
    expect(broken(pages(...seen, shows(2, { title: 2 })), ticked)).toEqual([])
    expect(broken(pages(...seen, shows(2, { title: 0 })), ticked)).toEqual(['writes follow reads'])
  })
})
