import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FocusOfSubject } from '#features/focus/subjects/focus-by-subject.ts'
import type { List } from '#features/lists/list/list.ts'
import { lists } from '#features/lists/testing/lists.ts'
import { runs } from '#testing/runs.ts'
import { sharesByList, sharesBySubject } from './focus-shares.ts'

const home = lists.wire({ id: 'home', name: 'Home' })
const work = lists.wire({ id: 'work', name: 'Work' })
const both: readonly List[] = [home, work]

const onTodo = (name: string, list_id: string | null, seconds: number): FocusOfSubject => ({
  todo_id: `todo ${name}`,
  habit_id: null,
  name,
  list_id,
  seconds,
})
const onHabit = (name: string, seconds: number): FocusOfSubject => ({
  todo_id: null,
  habit_id: `habit ${name}`,
  name,
  list_id: null,
  seconds,
})
const onNothing = (seconds: number): FocusOfSubject => ({
  todo_id: null,
  habit_id: null,
  name: null,
  list_id: null,
  seconds,
})

const namesAndSeconds = (shares: ReturnType<typeof sharesByList>) =>
  shares.map(({ name, seconds }) => [name, seconds])

test('the most comes first, and what was about nothing comes last however much it was', () =>
  expect(
    namesAndSeconds(
      sharesBySubject([onNothing(9_000), onTodo('Paint', 'home', 600), onHabit('Read', 1_500)], both),
    ),
  ).toEqual([
    ['Read', 1_500],
    ['Paint', 600],
    ['No task or habit', 9_000],
  ]))

test('tasks add up to their lists; one whose list is gone is in none, and habits stand together', () =>
  expect(
    namesAndSeconds(
      sharesByList(
        [
          onTodo('Paint', 'home', 600),
          onTodo('Sweep', 'home', 300),
          onTodo('Draft', 'work', 1_200),
          onTodo('Old', 'gone', 60),
          onTodo('Loose', null, 60),
          onHabit('Read', 1_500),
          onHabit('Spanish', 500),
          onNothing(30),
        ],
        both,
      ),
    ),
  ).toEqual([
    ['Habits', 2_000],
    ['Work', 1_200],
    ['Home', 900],
    ['No list', 120],
    ['No task or habit', 30],
  ]))

test('by task and habit or by list, no second is lost and none counts twice', () => {
  const someSeconds = fc.integer({ min: 1, max: 50_000 })
  const some = fc.array(
    fc.oneof(
      fc
        .tuple(fc.string(), fc.constantFrom('home', 'work', 'gone', null), someSeconds)
        .map(([name, list, seconds]) => onTodo(name, list, seconds)),
      fc.tuple(fc.string(), someSeconds).map(([name, seconds]) => onHabit(name, seconds)),
      someSeconds.map(onNothing),
    ),
  )
  const sum = (of: readonly { seconds: number }[]) => of.reduce((all, { seconds }) => all + seconds, 0)
  fc.assert(
    fc.property(some, (subjects) => {
      expect(sum(sharesBySubject(subjects, both))).toBe(sum(subjects))
      expect(sum(sharesByList(subjects, both))).toBe(sum(subjects))
    }),
    { numRuns: runs(10_000, 100) },
  )
})
