import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { minutesUnit } from '../amounts/minutes.ts'
import { sameRhythm, sameTarget } from '../rhythm/rhythm.ts'
import { someRhythm, someTarget } from '../testing/some-habit.ts'
import {
  draftOf,
  type RhythmDraft,
  rhythmKinds,
  rhythmOfDraft,
  rhythmProblem,
  targetOfDraft,
  targetProblem,
} from './rhythm-draft.ts'

const daily = draftOf({ every: 1 }, 'yes')

test('what the dialog shows of a habit is saved as it was', () => {
  fc.assert(
    fc.property(someRhythm, someTarget, (rhythm, target) => {
      const draft = draftOf(rhythm, target)
      const [saved, goal] = [rhythmOfDraft(draft), targetOfDraft(draft)]
      expect(saved && sameRhythm(saved, rhythm)).toBe(true)
      expect(goal && sameTarget(goal, target)).toBe(true)
    }),
    { numRuns: runs(10_000, 100) },
  )
})

test('every frequency of the dialog can be saved as it is first shown', () => {
  for (const { kind, first } of rhythmKinds) {
    const draft: RhythmDraft = { ...daily, kind, ...first }
    expect(rhythmOfDraft(draft), kind).toBeDefined()
    expect(rhythmProblem(draft), kind).toBeUndefined()
  }
})

describe('a rhythm that cannot be', () => {
  test.each<[Partial<RhythmDraft>, string]>([
    [{ kind: 'weekdays', weekdays: [] }, 'Choose at least one day'],
    [{ kind: 'week', times: '8' }, 'Enter a number of times from 1 to 7'],
    [{ kind: 'month', times: 'x' }, 'Enter a number of times from 1 to 28'],
    [{ kind: 'every', days: '0' }, 'Enter a number of days from 1 to 366'],
    [{ kind: 'block', times: '6', days: '5' }, 'Enter at most as many times as days'],
    [{ kind: 'block', times: '', days: '5' }, 'Enter numbers from 1 to 366'],
  ])('%j is explained', (changes, problem) => {
    expect(rhythmProblem({ ...daily, ...changes })).toBe(problem)
  })
})

test('a goal is explained once something wrong is entered, not while it is empty', () => {
  const counted: RhythmDraft = { ...daily, goal: 'count' }
  expect(targetProblem(counted)).toMatchObject({ field: 'amount', isShown: false })
  expect(targetProblem({ ...counted, amount: '0' })).toMatchObject({ field: 'amount', isShown: true })
  expect(targetProblem({ ...counted, amount: '8' })).toMatchObject({ field: 'unit', isShown: false })
  expect(targetProblem({ ...counted, at: 'most', amount: '0', unit: 'cups' })).toBeUndefined()
  expect(targetProblem({ ...counted, amount: '8', unit: 'x'.repeat(51) })).toMatchObject({ isShown: true })
})

describe('a goal in minutes', () => {
  const thirty = { at: 'least', amount: 30_000, unit: minutesUnit, per: 'day' } as const

  test('is chosen, and has no unit to type', () => {
    expect(targetOfDraft({ ...daily, goal: 'time', amount: '30' })).toEqual(thirty)
    expect(draftOf({ every: 1 }, thirty)).toMatchObject({ goal: 'time', amount: '30', unit: '' })
    expect(targetProblem({ ...daily, goal: 'time', amount: '0' })).toMatchObject({ field: 'amount' })
  })

  test.each(['minutes', 'Minutes', ' MINUTES '])('is meant by whoever types %j as the unit', (unit) =>
    expect(targetOfDraft({ ...daily, goal: 'count', amount: '30', unit })).toEqual(thirty),
  )

  test.each(['min', 'minute'])('is not meant by %j', (unit) =>
    expect(targetOfDraft({ ...daily, goal: 'count', amount: '30', unit })).toMatchObject({ unit }),
  )
})
