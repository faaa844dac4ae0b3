import { expect, test } from 'vitest'
import type { ImportPiece } from '#features/your-data/exported-account.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { previewSchema, previewsOf } from './preview-requests.ts'

const idOf = (nth: number) => `01900000-0000-7000-8000-${String(nth).padStart(12, '0')}`
const habit_id = idOf(1)
const daysFrom = (first: string, count: number): Day[] =>
  Array.from({ length: count }, (_, nth) => addDays(first as Day, nth))

test('the server is asked about days by their habit, about notes by their days, and about amounts by their ids', () => {
  const [day] = daysFrom('2026-11-20', 1) as [Day]
  const days = [{ id: idOf(2), day, value: 1_000, set: false, settles: [], at: '2026-11-20T12:00:00.000Z' }]
  const piece: ImportPiece = {
    rhythms: [{ habit_id, rhythms: [] }],
    completions: [{ habit_id, days: [day] }],
    notes: [{ habit_id, days: [{ day, note: 'Sore throat' }] }],
    amounts: [{ habit_id, days }],
  }
  expect(previewsOf([piece])).toEqual([
    {
      completions: [{ habit_id, days: [day] }],
      notes: [{ habit_id, days: [day] }],
      amounts: [{ habit_id, days: [{ id: idOf(2), day }] }],
    },
  ])
})

test('a request asks about no more than it has room for, and at once about 500 days of a habit', () => {
  const all = daysFrom('1990-01-01', 9_250)
  const previews = previewsOf([{ completions: [{ habit_id, days: all }] }])
  const entries = previews.map(({ completions = [] }) => completions.map(({ days }) => days.length))
  const [full, rest] = [Array(8).fill(500), [500, 500, 250]]
  expect(entries.map((lengths) => lengths.length)).toEqual([7, 7, 5])
  expect(entries.flat()).toEqual([...full, ...full, ...rest])
  expect(previews.flatMap(({ completions = [] }) => completions.flatMap(({ days }) => days))).toEqual(all)
  for (const preview of previews) expect(JSON.stringify(preview).length).toBeLessThan(50_000)
  const tooMany = { skips: [{ habit_id, days: daysFrom('1990-01-01', 4_001) }] }
  expect(previewSchema.safeParse(tooMany).error?.issues[0]?.message).toBe(
    'Expected at most 4,000 days at once',
  )
})
