import { expect, it } from 'vitest'
import { textOf } from '#app/testing/convergence/people/one-change.ts'
import type { Change } from '#app/testing/convergence/rules/rule.ts'
import type { History } from './history.ts'
import { change, made, ofThreePages as pages, shows } from './sample-history.ts'
import { textsOverridden } from './texts-overridden.ts'

interface Played {
  history: History
  changes: readonly Change[]
  told?: readonly number[]
}

/** What became of the texts, all of which were acknowledged. */
function became({ history, changes, told = [] }: Played) {
  const acknowledged = new Set(changes.map(({ number }) => number))
  return textsOverridden(history, changes, new Set(told), acknowledged)
}

const two = [change(1, 1), change(2, 2)]

it('a text that stands in the end is current', () => {
  const history = pages(made(1, 1), shows(1, { title: 1 }))
  expect(became({ history, changes: [change(1, 1)] })).toEqual({
    acknowledged: 1,
    current: 1,
    seen: 0,
    seenLater: 0,
    unseen: 0,
  })
})

it('a text that was shown where the next one was typed is replaced by someone who had seen it', () => {
  const history = pages(made(1, 1), shows(2, { title: 1 }), made(2, 2))
  expect(became({ history, changes: two })).toEqual({
    acknowledged: 2,
    current: 1,
    seen: 1,
    seenLater: 0,
    unseen: 0,
  })
})

it('a text that was not shown where the next one was typed is overridden unseen', () => {
  for (const history of [
    pages(made(1, 1), made(2, 2), shows(2, { title: 1 })),
    pages(shows(3, { title: 1 }), made(2, 2)),
  ]) {
    expect(became({ history, changes: two })).toEqual({
      acknowledged: 2,
      current: 1,
      seen: 0,
      seenLater: 0,
      unseen: 1,
    })
  }
})

it('who has seen a later text counts as having seen the earlier one', () => {
  const changes = [change(1, 1), change(2, 2, { at: 20 }), change(3, 3, { at: 25 })]
  const history = pages(made(1, 1), made(3, 3), shows(2, { title: 3 }), made(2, 2))
  expect(became({ history, changes })).toEqual({
    acknowledged: 3,
    current: 1,
    seen: 1,
    seenLater: 0,
    unseen: 1,
  })
})

it('goes by the order in which the changes stand in the end', () => {
  const changes = [change(1, 1, { at: 30 }), change(2, 2, { at: 20 })]
  const history = pages(made(1, 1), shows(1, { title: 1 }), shows(2, { title: 1 }), made(2, 2))
  expect(became({ history, changes })).toEqual({
    acknowledged: 2,
    current: 1,
    seen: 0,
    seenLater: 0,
    unseen: 1,
  })
})

it('each text of a row is counted for itself', () => {
  const changes = [change(1, 1), change(2, 2, { fields: { note: textOf(2) } })]
  const history = pages(made(1, 1), made(2, 2), shows(3, { title: 1, note: 2 }))
  expect(became({ history, changes })).toEqual({
    acknowledged: 2,
    current: 2,
    seen: 0,
    seenLater: 0,
    unseen: 0,
  })
})

it('a text that the person was told about does not count, and overrides none', () => {
  const history = pages(made(1, 1), made(2, 2), shows(3, { title: 1 }))
  expect(became({ history, changes: two, told: [2] })).toEqual({
    acknowledged: 1,
    current: 1,
    seen: 0,
    seenLater: 0,
    unseen: 0,
  })
})

it('a text that was not acknowledged does not count, but overrides', () => {
  const history = pages(made(1, 1), made(2, 2), shows(3, { title: 1 }))
  expect(textsOverridden(history, two, new Set(), new Set([1]))).toEqual({
    acknowledged: 1,
    current: 0,
    seen: 0,
    seenLater: 0,
    unseen: 1,
  })
})

it('an undo is no text of its own: it overrides one, and the text that it brings back is current', () => {
  const undo = change(3, 2, { at: 20.001, fields: { title: textOf(1) }, pressed: Date.UTC(2026, 5, 1, 13) })
  const history = pages(
    made(1, 1),
    shows(2, { title: 1 }),
    made(2, 2),
    shows(2, { title: 2 }),
    made(2, 3),
    shows(2, { title: 1 }),
  )
  expect(became({ history, changes: [...two, undo] })).toEqual({
    acknowledged: 2,
    current: 1,
    seen: 1,
    seenLater: 0,
    unseen: 0,
  })
})

it('a text that stood for more than five minutes is told apart, even if whoever replaced it had seen it', () => {
  const history = pages(made(1, 1), shows(2, { title: 1 }), made(2, 2))
  const later = change(2, 2)
  const after = (seconds: number) => [change(1, 1), { ...later, at: change(1, 1).at + seconds * 1_000 }]
  expect(became({ history, changes: after(300) })).toMatchObject({ seen: 1, seenLater: 0 })
  expect(became({ history, changes: after(301) })).toMatchObject({ seen: 0, seenLater: 1 })
})
