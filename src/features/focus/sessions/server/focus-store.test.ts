import { expect, test } from 'vitest'
import { type Day, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { purgeDeleted } from '#platform/database/rows/delete-rows.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { importFocusSessions } from './exported-focus-store.ts'
import { focusRows } from './focus-rows.ts'
import {
  addFocusSession,
  completedFocus,
  deleteFocusSession,
  listFocusSessions,
  restoreFocusSession,
} from './focus-store.ts'

const monday = '2026-11-16' as Day
const tuesday = '2026-11-17' as Day
const week = { from: monday, to: '2026-11-22' as Day }
const at = (hour: number) => Date.UTC(2026, 10, 16, hour)

/** Twenty minutes across midnight. */
const overMidnight = {
  duration: 1_200,
  startedAt: at(24) - 600_000,
  endedAt: at(24) + 600_000,
  days: [
    { day: monday, seconds: 600 },
    { day: tuesday, seconds: 600 },
  ],
  at: at(25),
}

/** These sessions belong to no habit of the tests. */
const noHabits = async () => {}

describeEachEngine('The store of focus sessions', (openEmpty) => {
  async function openFor(...users: string[]): Promise<Database> {
    const db = await openEmpty()
    for (const user of users) await addUser(db.auth, db.engine, user)
    return db
  }

  const idsOf = async (db: Database, user: string) =>
    (await Array.fromAsync(listFocusSessions(db, user, week))).flat().map(({ id }) => id)

  test('a session recorded several times at the same moment exists once, with its days', async () => {
    const db = await openFor('ada')
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => addFocusSession(db, 'ada', 'a', overMidnight, noHabits)),
    )
    expect(
      answers.filter((answer) => typeof answer === 'object' && 'created' in answer && answer.created),
    ).toHaveLength(1)
    for (const answer of answers)
      expect(answer).toMatchObject({ session: { id: 'a', days: overMidnight.days } })
    expect(await completedFocus(db, 'ada', { from: monday, to: tuesday })).toEqual({
      count: 1,
      seconds: 1_200,
      days: [
        { day: monday, count: 0, seconds: 600 },
        { day: tuesday, count: 1, seconds: 600 },
      ],
    })
  })

  test('from a thousand sessions, those in a range are listed a hundred at a time, whole, once, and newest first', async () => {
    const db = await openFor('ada', 'grace')
    // Of one to three days, sorted neither by id nor by end.
    const sessions = Array.from({ length: 1_000 }, (_, place) => {
      const started = Date.UTC(2026, 9, 1) + ((place * 7_919) % 1_000) * 4_000_000
      const days = Array.from({ length: 1 + (place % 3) }, (_, nth) => ({
        day: instantToWire(started + nth * 86_400_000).slice(0, 10) as Day,
        seconds: 60,
      }))
      return {
        id: `id ${String((place * 31) % 1_000).padStart(4, '0')}`,
        kind: 'countdown' as const,
        todo_id: place % 3 === 0 ? 'todo' : null,
        habit_id: place % 3 === 1 ? 'habit' : null,
        duration: 60 * days.length,
        started_at: instantToWire(started),
        // Several end at the same instant.
        ended_at: instantToWire(
          Date.UTC(2026, 9, 4) + Math.floor((started - Date.UTC(2026, 9, 1)) / 40_000_000) * 40_000_000,
        ),
        days,
      }
    })
    for (const user of ['ada', 'grace']) {
      await db.writeFor(user, ['focus'], (tx) => importFocusSessions(tx, user, sessions, at(0)))
    }
    await deleteFocusSession(db, 'ada', 'id 0500', at(1), noHabits)
    const range = { from: '2026-10-03' as Day, to: '2026-11-10' as Day }
    const pages = await Array.fromAsync(listFocusSessions(db, 'ada', range))
    const wanted = sessions
      .filter(
        ({ id, days }) => id !== 'id 0500' && days.some(({ day }) => day >= range.from && day <= range.to),
      )
      .toSorted((a, b) => (a.ended_at + a.id < b.ended_at + b.id ? 1 : -1))
    expect(wanted.length).toBeGreaterThan(800)
    expect(pages.flat()).toEqual(wanted)
    expect(Math.max(...pages.map(({ length }) => length))).toBe(100)
  })

  test('the later of a deletion and a restoration wins, in whichever order they arrive', async () => {
    const db = await openFor('ada')
    await addFocusSession(db, 'ada', 'a', overMidnight, noHabits)
    expect(await deleteFocusSession(db, 'ada', 'a', at(30), noHabits)).toBe(true)
    expect(await restoreFocusSession(db, 'ada', 'a', at(29), noHabits)).toBe(undefined)
    expect(await deleteFocusSession(db, 'ada', 'a', at(32), noHabits)).toBe(false)
    expect(await restoreFocusSession(db, 'ada', 'a', at(31), noHabits)).toBe(undefined)
    expect(await restoreFocusSession(db, 'ada', 'a', at(33), noHabits)).toMatchObject({ id: 'a' })
    expect(await deleteFocusSession(db, 'ada', 'a', at(32), noHabits)).toBe(true)
    expect(await idsOf(db, 'ada')).toEqual(['a'])
  })

  test('what any user deleted before an instant is removed permanently, days included; the rest stays', async () => {
    const db = await openFor('ada', 'grace')
    for (const user of ['ada', 'grace']) {
      for (const id of ['kept', 'old', 'recent']) await addFocusSession(db, user, id, overMidnight, noHabits)
      await deleteFocusSession(db, user, 'old', at(30), noHabits)
      await deleteFocusSession(db, user, 'recent', at(40), noHabits)
    }
    expect(await purgeDeleted(db, focusRows, at(40))).toBe(2)
    expect(await restoreFocusSession(db, 'ada', 'old', at(41), noHabits)).toBe(undefined)
    expect(await restoreFocusSession(db, 'ada', 'recent', at(41), noHabits)).toMatchObject({ id: 'recent' })
    expect(await idsOf(db, 'grace')).toEqual(['kept'])
    const left = await db.read.selectFrom('focus_days').select('session_id').distinct().execute()
    expect(left.map(({ session_id }) => session_id).sort()).toEqual(['kept', 'recent'])
  })

  test('deleting an account deletes its sessions, days included, and no others', async () => {
    const db = await openFor('ada', 'grace')
    for (const user of ['ada', 'grace']) await addFocusSession(db, user, 'a', overMidnight, noHabits)
    await db.auth.deleteFrom('user').where('id', '=', 'ada').execute()
    for (const table of ['focus_sessions', 'focus_days'] as const) {
      const left = await db.read.selectFrom(table).select('user_id').distinct().execute()
      expect(left).toEqual([{ user_id: 'grace' }])
    }
  })
})
