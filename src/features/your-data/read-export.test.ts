import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { defaultPlan } from '#features/focus/plan/focus-plan.ts'
import { readExport } from './read-export.ts'
import versionOne from './testing/version-1.json' with { type: 'json' }

const document = readFileSync(fileURLToPath(new URL('../../../docs/export.md', import.meta.url)), 'utf8')
const example = /```json\n(.*?)```/s.exec(document)?.[1] ?? ''

const problemOf = (text: string) => {
  const reading = readExport(text)
  return 'problem' in reading ? reading.problem : undefined
}
const changed = (change: object) => JSON.stringify({ ...JSON.parse(example), ...change })

describe('a file', () => {
  it('in the format of docs/export.md is read exactly as shown', () => {
    expect(readExport(example)).toEqual({ exported: JSON.parse(example) })
  })

  it('with fields that this version does not know is read without them', () => {
    const [first, ...others] = JSON.parse(example).todos
    const more = { mood: 'good', todos: [{ ...first, weather: 'sunny' }, ...others] }
    const reading = readExport(changed(more))
    expect(reading).toEqual({ exported: JSON.parse(example) })
  })

  it('in which a newer version wrote some forms is read without them, and says which', () => {
    const { todos, preferences } = JSON.parse(example)
    const form = { of: 'the next version' }
    const [first, ...others] = todos
    const newer = { ...first, reminder: form, tags: [form, 'home', form] }
    const reading = readExport(
      changed({
        todos: [newer, { ...first, id: form }, ...others],
        preferences: { ...preferences, theme: form },
      }),
    )
    expect(reading).toMatchObject({
      exported: {
        todos: [{ ...first, reminder: null, tags: ['home'] }, ...others],
        preferences: { ...preferences, theme: 'system' },
      },
      unread:
        "This version of Daymark doesn't know the form of some of this file, and leaves that out: theme; reminder (todos, number 1); tags (todos, number 1); todos, number 2.",
    })
  })

  it('of version 1 is read with all its rows, in no list, not moved and without details', () => {
    const added = {
      list_id: null,
      position: '',
      parent_id: null,
      note: '',
      priority: 0,
      estimate: null,
      tags: [],
      reminder: null,
      repeat: null,
    }
    const addedToSessions = { kind: 'countdown', todo_id: null, habit_id: null }
    const nothing = { rhythms: [], skips: [], notes: [], amounts: [] }
    const addedToHabits = { ...nothing, position: '', archived_at: null }
    expect(versionOne.version).toBe(1)
    expect(readExport(JSON.stringify(versionOne))).toMatchObject({
      exported: {
        ...versionOne,
        version: 2,
        preferences: {
          ...versionOne.preferences,
          todos_sort: 'newest',
          start_page: 'todos',
          focus_plan: defaultPlan,
        },
        lists: [],
        todos: versionOne.todos.map((todo) => ({ ...added, ...todo })),
        habits: versionOne.habits.map((habit) => ({ ...addedToHabits, ...habit })),
        pauses: [],
        focus_sessions: versionOne.focus_sessions.map((session) => ({ ...addedToSessions, ...session })),
      },
    })
  })

  it('with a zone that only other runtimes know is read: the server decides, since it counts days in that zone', () => {
    const { preferences } = JSON.parse(example)
    expect(
      problemOf(changed({ preferences: { ...preferences, time_zone: 'Mars/Olympus_Mons' } })),
    ).toBeUndefined()
  })

  it('that is cut off anywhere after its beginning says so', () => {
    for (let end = 30; end < example.trimEnd().length; end += 37) {
      expect(problemOf(example.slice(0, end))).toBe(
        'This file is incomplete: its end is missing. Download it again.',
      )
    }
  })

  it.each([
    ['', "This file wasn't downloaded from Daymark."],
    ['null', "This file wasn't downloaded from Daymark."],
    ['{"format":"other","version":1}', "This file wasn't downloaded from Daymark."],
    ['PK\u0003\u0004', "This file wasn't downloaded from Daymark."],
    [
      '{"format":"daymark","version":3}',
      'This file uses version 3 of the format, but this version of Daymark only reads versions 1 and 2. Import it into the server it came from, or into a newer version of Daymark.',
    ],
    [
      '{"format":"daymark","version":2}',
      'This file is damaged: exported_at: Expected an instant in UTC, such as 2026-11-20T09:30:00.000Z.',
    ],
  ])('of %j is explained in a sentence', (text, words) => {
    expect(problemOf(text)).toBe(words)
  })

  it('with a mistake in it says where the first one is', () => {
    const [todo] = JSON.parse(example).todos
    expect(problemOf(changed({ todos: [todo, { ...todo, title: '' }] }))).toBe(
      'This file is damaged: todos, number 2, title: Title must not be empty.',
    )
    expect(problemOf(changed({ habits: {} }))).toBe(
      'This file is damaged: habits: Invalid input: expected array, received object.',
    )
  })
})
