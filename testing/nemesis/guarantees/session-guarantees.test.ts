import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textOf } from '#app/testing/convergence/people/one-change.ts'
import type { Change } from '#app/testing/convergence/rules/rule.ts'
import { runs } from '#testing/runs.ts'
import type { History, HistoryEvent } from './history.ts'
import { linearHistories, linearHistoriesOfTyping } from './linear-history.ts'
import { change, hides, made, opened, ofThreePages as pages, shows, showsValues } from './sample-history.ts'
import { brokenGuarantees } from './session-guarantees.ts'

/** The names of the guarantees that a history breaks. */
function broken(history: History, changes: readonly Change[], told: readonly number[] = []): string[] {
  return brokenGuarantees(history, changes, new Set(told)).map((problem) => problem.split(':')[0] ?? '')
}

const noted = (number: number) => ({ fields: { note: textOf(number) } })
const ofMilk = { row: 'milk' }

describe('read your writes', () => {
  const changes = [change(1, 2), change(2, 1)]

  it('holds for a page that shows what it typed, then what came later', () => {
    const later = [...changes, change(3, 2)]
    expect(broken(pages(made(1, 2), shows(1, { title: 2 }), shows(1, { title: 3 })), later)).toEqual([])
  })

  it('is broken by an older text, which is told with who, where and when', () => {
    const problems = brokenGuarantees(pages(made(1, 2), shows(1, { title: 1 })), changes, new Set())
    expect(problems).toEqual([
      'read your writes: page 1 of device 1 shows change 1 by #1 (device 2, 2026-06-01T12:00:10.000Z) in todos tea title, ' +
        'after it made #2 (device 1, 2026-06-01T12:00:20.000Z) (event 4)',
    ])
  })

  it('is broken once, however long the older text stays', () => {
    const stays = shows(1, { title: 1 })
    expect(broken(pages(made(1, 2), stays, stays, stays), changes)).toEqual(['read your writes'])
  })

  it('is broken by a text that became empty, unless someone emptied it', () => {
    const typed = change(1, 1, noted(1))
    const emptied = showsValues(1, { note: '' })
    const history = pages(made(1, 1), shows(1, { note: 1 }), made(2, 2), emptied)
    expect(broken(history, [typed, change(2, 2)])).toContain('read your writes')
    expect(broken(history, [typed, change(2, 2, { fields: { note: '' } })])).toEqual([])
  })

  it('says nothing about a row that is not shown', () => {
    expect(broken(pages(made(1, 2), hides(1)), changes)).toEqual([])
  })

  it('says nothing about a change that the person was told about', () => {
    expect(broken(pages(made(1, 2), shows(1, { title: 1 })), changes, [2])).toEqual([])
  })

  it('says nothing about a change that was lost with its page before it was stored', () => {
    expect(broken(pages(made(1, 2), shows(1, { title: 2 }), shows(1, { title: 1 })), [change(1, 2)])).toEqual(
      [],
    )
  })

  it('holds for a page that is opened after its device had stored a change', () => {
    const reopened = (shown: number, stored: number[]) => [
      ...pages(shows(2, { title: 1 }), made(1, 2)),
      opened(4, 1, stored),
      shows(4, { title: shown }),
    ]
    expect(broken(reopened(2, [2]), changes)).toEqual([])
    expect(broken(reopened(1, []), changes)).toEqual([])
    expect(broken(reopened(1, [2]), changes)).toEqual(['read your writes'])
    expect(broken(reopened(1, [2]), changes, [2])).toEqual([])
    const ofOther = [change(1, 2), change(2, 3)]
    expect(broken(reopened(1, [2]), ofOther)).toEqual([])
  })

  it('allows texts of another device that are older by no more than clocks may differ', () => {
    const shown = (at: number) => [change(1, 2, { at }), change(2, 1, { at: 20 })]
    const history = pages(made(1, 2), shows(1, { title: 1 }))
    expect(broken(history, shown(18.9))).toEqual([])
    expect(broken(history, shown(18.8))).toEqual(['read your writes'])
  })

  it('allows a text that may be later, since the server did not believe the instant of the newer one', () => {
    const cut = change(2, 1, { at: 20, earliest: 10.5 })
    expect(broken(pages(made(1, 2), shows(1, { title: 1 })), [change(1, 2), cut])).toEqual([])
  })

  it('goes by the order of the changes on one device, whatever its clock said', () => {
    const changes = [change(1, 1, { at: 30 }), change(2, 1, { at: 20 })]
    expect(broken(pages(made(1, 1), made(1, 2), shows(1, { title: 2 })), changes)).toEqual([])
    expect(broken(pages(made(1, 1), made(1, 2), shows(1, { title: 1 })), changes)).toEqual([
      'read your writes',
    ])
  })

  it('leaves out texts that no page ever shows', () => {
    const ofDay = change(2, 1, { fields: { 'note 2026-06-01': textOf(2) } })
    expect(broken(pages(made(1, 2), shows(1, { title: 1 })), [change(1, 2), ofDay])).toEqual([])
  })
})

describe('an undo', () => {
  const changes = [
    change(1, 2),
    change(2, 1),
    change(3, 1, { at: 20.001, fields: { title: textOf(1) }, pressed: Date.UTC(2026, 5, 1, 13) }),
  ]

  it('may bring an older text back, on every page', () => {
    const history = pages(
      made(1, 2),
      shows(1, { title: 2 }),
      shows(2, { title: 2 }),
      made(1, 3),
      shows(1, { title: 1 }),
      shows(2, { title: 1 }),
    )
    expect(broken(history, changes)).toEqual([])
  })

  it('gives way to what the device wrote between the undone change and the undo', () => {
    const undo = change(3, 1, { at: 10.001, fields: { title: textOf(0) }, pressed: Date.UTC(2026, 5, 1, 13) })
    const history = pages(made(1, 3), shows(1, { title: 2 }))
    expect(broken(history, [change(1, 1), change(2, 1, { at: 20 }), undo])).toEqual([])
  })

  it('is no reason for an older text before it was pressed', () => {
    const history = pages(shows(2, { title: 2 }), shows(2, { title: 1 }), made(1, 3))
    expect(broken(history, changes)).toEqual(['monotonic reads'])
  })
})

describe('monotonic reads', () => {
  const changes = [change(1, 1), change(2, 2)]

  it('hold for a page on which texts become newer', () => {
    expect(broken(pages(shows(3, { title: 1 }), shows(3, { title: 2 })), changes)).toEqual([])
  })

  it('are broken by a page that goes back, though the row was hidden meanwhile', () => {
    const history = pages(shows(3, { title: 2 }), hides(3), shows(3, { title: 1 }))
    expect(broken(history, changes)).toEqual(['monotonic reads'])
  })

  it('compare with the newest text, not with the last', () => {
    const slow = [...changes, change(3, 3, { at: 20.5 })]
    const history = pages(...[2, 3, 1].map((title) => shows(2, { title })))
    expect(broken(history, slow)).toEqual(['monotonic reads'])
  })

  it('say nothing about what different pages show', () => {
    expect(broken(pages(shows(3, { title: 2 }), shows(1, { title: 1 })), changes)).toEqual([])
  })

  it('say nothing about a newer text that the person was told about', () => {
    expect(broken(pages(shows(3, { title: 2 }), shows(3, { title: 1 })), changes, [2])).toEqual([])
  })
})

describe('a page that takes back a deletion', () => {
  const changes = [
    change(1, 2),
    change(2, 2),
    change(3, 1, { kind: 'delete', fields: {} }),
    change(4, 1, { kind: 'restore', fields: {} }),
  ]
  const restored = (page: number) =>
    pages(shows(1, { title: 2 }), made(1, 3), hides(1), made(page, 4), shows(1, { title: 1 }))

  it('may show the row as it was then, until it is read again', () => {
    expect(broken([...restored(1), shows(1, { title: 2 })], changes)).toEqual([])
    const back = [shows(1, { title: 2 }), shows(1, { title: 1 })]
    expect(broken([...restored(1), ...back], changes)).toEqual(['monotonic reads'])
  })

  it('may show so a row that was still there, when a read finds it deleted elsewhere', () => {
    const goesBack = [shows(4, { title: 2 }), shows(4, { title: 1 })]
    const history = pages(made(1, 4), opened(4, 1, [4]), ...goesBack)
    expect(broken(history, changes)).toEqual([])
    expect(broken([...history, ...goesBack], changes)).toEqual(['monotonic reads'])
  })

  it('may show so where it was opened while the restoration of a killed page was being stored', () => {
    const opens = [opened(4, 1), shows(4, { title: 2 }), shows(4, { title: 1 })]
    expect(broken(pages(made(1, 4), ...opens), changes)).toEqual([])
    expect(broken(pages(made(2, 4), ...opens), changes)).toEqual(['monotonic reads'])
  })

  it('may show so the subtasks that it brings back', () => {
    const ofSubtask = { row: 'subtask', fields: { title: textOf(5), parent_id: 'tea' } }
    const subtask = [change(5, 2, ofSubtask), change(6, 2, { ...ofSubtask, fields: { title: textOf(6) } })]
    const ofRow = (title: number) => shows(1, { title }, 'subtask')
    const history = (...events: HistoryEvent[]) => pages(ofRow(6), ...events, ofRow(5))
    expect(broken(history(made(1, 4)), [...changes, ...subtask])).toEqual([])
    expect(broken(history(), [...changes, ...subtask])).toEqual(['monotonic reads'])
  })

  it('makes no exception for other devices', () => {
    expect(broken(restored(2), changes)).toEqual(['monotonic reads'])
  })

  it('may show what it was before the changes of others that are shown beside it', () => {
    const others = [change(5, 2), change(6, 3, { row: 'milk' })]
    const read = [shows(3, { title: 5 }), made(3, 6), shows(1, { title: 6 }, 'milk')]
    expect(broken([...restored(1), ...read], [...changes, ...others])).toEqual([])
    const history = pages(shows(1, { title: 1 }), ...read)
    expect(broken(history, [...changes, ...others])).toEqual(['writes follow reads'])
  })
})

describe('monotonic writes', () => {
  const changes = [change(1, 3, noted(1)), change(2, 1, noted(2)), change(3, 1)]

  it('hold for a page that shows both changes of a device, or neither, or the first', () => {
    for (const shown of [shows(2, { title: 3, note: 2 }), shows(2, { note: 1 }), shows(2, { note: 2 })]) {
      expect(broken(pages(shown), changes)).toEqual([])
    }
  })

  it('are broken by a page that shows the second change without the first', () => {
    expect(broken(pages(shows(2, { title: 3, note: 1 })), changes)).toEqual(['monotonic writes'])
    const empty = showsValues(2, { title: textOf(3), note: '' })
    expect(broken(pages(empty), changes)).toEqual(['monotonic writes'])
  })

  it('are broken once, whatever else changes in the row', () => {
    const place = change(4, 3, { fields: { place: textOf(4) } })
    const shown = { title: 3, note: 1 }
    const history = pages(shows(2, shown), shows(2, { ...shown, place: 4 }))
    expect(broken(history, [...changes, place])).toEqual(['monotonic writes'])
  })

  it('hold where somebody else replaced the first', () => {
    const replaced = [...changes, change(4, 3, noted(4))]
    expect(broken(pages(shows(2, { title: 3, note: 4 })), replaced)).toEqual([])
  })

  it('say nothing about changes of two devices', () => {
    const ofTwo = [change(1, 3, noted(1)), change(2, 2, noted(2)), change(3, 1)]
    expect(broken(pages(shows(2, { title: 3, note: 1 })), ofTwo)).toEqual([])
  })

  it('say nothing about the device itself, nor about other rows', () => {
    const own = pages(opened(4, 1), shows(4, { title: 3, note: 1 }))
    expect(broken(own, changes)).toEqual([])
    const first = change(2, 1, { ...noted(2), ...ofMilk })
    const others = [change(1, 3, { ...noted(1), ...ofMilk }), first, change(3, 1)]
    expect(broken(pages(shows(2, { title: 3 }), shows(2, { note: 1 }, 'milk')), others)).toEqual([])
  })

  it('say nothing about a change that the person was told about', () => {
    for (const told of [[2], [3]])
      expect(broken(pages(shows(2, { title: 3, note: 1 })), changes, told)).toEqual([])
  })

  it('allow a change that waits on the device to be shown on top', () => {
    const waits = [change(1, 2, noted(1)), ...changes.slice(1)]
    expect(broken(pages(made(2, 1), shows(2, { title: 3, note: 1 })), waits)).toEqual([])
  })
})

describe('writes follow reads', () => {
  // Device 1 reads change 2 and then writes change 3 into another row.
  const changes = [change(1, 3), change(2, 3), change(3, 1, ofMilk)]
  const wrote = [shows(1, { title: 2 }), made(1, 3)]
  const milk = shows(2, { title: 3 }, 'milk')

  it('hold for a page that shows the change and what its device had seen', () => {
    expect(broken(pages(...wrote, milk, shows(2, { title: 2 })), changes)).toEqual([])
  })

  it('are broken by a page that shows the change, but an older text than its device had seen', () => {
    expect(broken(pages(...wrote, milk, shows(2, { title: 1 })), changes)).toEqual(['writes follow reads'])
    expect(broken(pages(...wrote, shows(2, { title: 1 }), milk), changes)).toEqual(['writes follow reads'])
  })

  it('are broken as well in a row that is shown only later', () => {
    const history = pages(...wrote, milk, shows(3, { title: 2 }), shows(2, { title: 1 }))
    expect(broken(history, changes)).toEqual(['writes follow reads'])
  })

  it('are judged once all rows of a moment are shown', () => {
    const moment = [milk, shows(2, { title: 2 })]
    expect(broken(pages(...wrote, shows(2, { title: 1 }), ...moment), changes)).toEqual([])
    const twoMoments = [milk, hides(3), shows(2, { title: 2 })]
    expect(broken(pages(...wrote, shows(2, { title: 1 }), ...twoMoments), changes)).toEqual([
      'writes follow reads',
    ])
  })

  it('say nothing about what was shown only after the change was made', () => {
    const history = pages(made(1, 3), shows(1, { title: 2 }), shows(2, { title: 1 }), milk)
    expect(broken(history, changes)).toEqual([])
  })

  it('say nothing about a row that is not shown', () => {
    expect(broken(pages(...wrote, shows(2, { title: 1 }), milk, hides(2)), changes)).toEqual([])
  })

  it('say nothing about a change that the person was told about', () => {
    for (const told of [[2], [3]])
      expect(broken(pages(...wrote, milk, shows(2, { title: 1 })), changes, told)).toEqual([])
  })

  it('do not take a text that was never written for one that was emptied', () => {
    const added = change(0, 3, { ...ofMilk, kind: 'add', fields: { note: '' } })
    const emptied = change(3, 1, { ...ofMilk, fields: { note: '' } })
    const unread = [shows(2, { title: 1 }), showsValues(2, { note: '' }, 'milk')]
    const history = pages(made(3, 0), ...wrote, ...unread)
    expect(broken(history, [added, ...changes.slice(0, 2), emptied])).toEqual([])
  })

  it('say nothing about changes of the same device in other rows, which may wait to be sent', () => {
    const own = [change(1, 3), change(2, 1), change(3, 1, ofMilk)]
    expect(broken(pages(made(1, 2), ...wrote, milk, shows(2, { title: 1 })), own)).toEqual([])
  })

  it('are broken in the same row by an older text than its device had written', () => {
    const own = [change(1, 3, noted(1)), change(2, 1, noted(2)), change(3, 1)]
    const history = pages(shows(1, { note: 2 }), made(1, 3), shows(2, { title: 3, note: 1 }))
    expect(broken(history, own)).toContain('writes follow reads')
  })

  it('are broken by a change that counts as older than what its device had seen', () => {
    const late = [change(1, 3), change(2, 1, { at: 1 })]
    const history = pages(shows(1, { title: 1 }), made(1, 2), shows(2, { title: 2 }))
    expect(broken(history, late)).toEqual(['writes follow reads'])
  })

  it('allow a change that waits on the device to be shown on top', () => {
    const waits = [change(1, 2), ...changes.slice(1)]
    expect(broken(pages(made(2, 1), ...wrote, shows(2, { title: 1 }), milk), waits)).toEqual([])
  })
})

describe('pages of one store that everyone reads from and writes to at once', () => {
  it('never break a guarantee', () => {
    fc.assert(
      fc.property(linearHistories, ({ history, changes }) => {
        expect(brokenGuarantees(history, changes, new Set())).toEqual([])
      }),
      { numRuns: runs(20_000, 500) },
    )
  })

  it('break one as soon as a page shows an older text in the place of a newer one', () => {
    fc.assert(
      fc.property(linearHistoriesOfTyping, fc.nat(), ({ history, changes }, which) => {
        const pairs = differing(history)
        const pair = pairs[which % pairs.length]
        fc.pre(pair !== undefined)
        expect(broken(swapped(history, pair), changes)).toContain('monotonic reads')
      }),
      { numRuns: runs(20_000, 500) },
    )
  })

  it('throw for a page that was never opened', () => {
    expect(() => broken([made(1, 1)], [change(1, 1)])).toThrow('Page 1 was never opened')
  })
})

type Pair = readonly [number, number]

/** The places of events at which a page shows the same row differently. */
function differing(history: History): Pair[] {
  const shown = [...history.entries()].flatMap(([place, event]) =>
    event.kind === 'shown' ? [{ ...event, place, values: [...(event.values ?? [])] }] : [],
  )
  return shown.flatMap((one) =>
    shown
      .filter(
        (other) =>
          other.place > one.place &&
          other.page === one.page &&
          other.row === one.row &&
          JSON.stringify(other.values) !== JSON.stringify(one.values),
      )
      .map((other) => [one.place, other.place] as const),
  )
}

function swapped(history: History, [one, other]: readonly [number, number]): History {
  return history.map(
    (event, place) => history[place === one ? other : place === other ? one : place] ?? event,
  )
}
