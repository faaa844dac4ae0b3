import { expect, test } from 'vitest'
import { defaultPlan } from '#features/focus/plan/focus-plan.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { handlingFor } from '#platform/http/request/current-request.ts'
import { defaultPreferences } from '../preferences.ts'
import {
  preferencesAlong,
  preferencesReader,
  readPreferences,
  storePreferences,
} from './preferences-store.ts'

const at = (hour: number) => Date.UTC(2026, 10, 20, hour)

describeEachEngine('The store of preferences', (openEmpty) => {
  async function openFor(...users: string[]): Promise<Database> {
    const db = await openEmpty()
    for (const user of users) await addUser(db.auth, db.engine, user)
    return db
  }

  test('someone who has chosen nothing has the defaults, and reading them stores nothing', async () => {
    const db = await openFor('ada')
    expect(await readPreferences(db, 'ada')).toEqual(defaultPreferences)
    expect(await db.read.selectFrom('preferences').selectAll().execute()).toEqual([])
  })

  test('a change is in the response and there afterwards, and the rest stays', async () => {
    const db = await openFor('ada')
    const all = {
      time_zone: 'Asia/Tokyo',
      time_zone_follows_browser: true,
      day_start: 180,
      week_start: 7,
      theme: 'dark',
      todos_sort: 'manual',
      start_page: 'today',
      focus_plan: { focus: 50, break: 10, long_break: 30, every: 3, auto_start: true },
    } as const
    expect(await storePreferences(db, 'ada', all, at(9))).toEqual(all)
    expect(await readPreferences(db, 'ada')).toEqual(all)

    const changed = { ...all, day_start: 30 }
    expect(await storePreferences(db, 'ada', { day_start: 30 }, at(10))).toEqual(changed)
    expect(await readPreferences(db, 'ada')).toEqual(changed)
  })

  test('an empty change returns what is there', async () => {
    const db = await openFor('ada')
    expect(await storePreferences(db, 'ada', {}, at(9))).toEqual(defaultPreferences)
    await storePreferences(db, 'ada', { theme: 'dark' }, at(9))
    expect(await storePreferences(db, 'ada', {}, at(10))).toEqual({ ...defaultPreferences, theme: 'dark' })
  })

  test('of two changes of one preference the one made later stays, whichever arrives first', async () => {
    const db = await openFor('ada')
    for (const [later, earlier] of [
      [{ time_zone: 'Asia/Tokyo' }, { time_zone: 'Europe/Lisbon' }],
      [{ day_start: 180 }, { day_start: 60 }],
      [{ week_start: 7 }, { week_start: 6 }],
      [{ theme: 'dark' }, { theme: 'light' }],
      [{ focus_plan: { ...defaultPlan, focus: 50 } }, { focus_plan: { ...defaultPlan, every: 2 } }],
    ] as const) {
      await storePreferences(db, 'ada', later, at(12))
      expect(await storePreferences(db, 'ada', earlier, at(11))).toMatchObject(later)
      expect(await readPreferences(db, 'ada')).toMatchObject(later)
      expect(await storePreferences(db, 'ada', earlier, at(13))).toMatchObject(earlier)
    }
  })

  test('of two changes at the same instant the one that arrives later stays', async () => {
    const db = await openFor('ada')
    await storePreferences(db, 'ada', { theme: 'dark', day_start: 30 }, at(12))
    expect(await storePreferences(db, 'ada', { theme: 'light', day_start: 60 }, at(12))).toMatchObject({
      theme: 'light',
      day_start: 60,
    })
  })

  test('an old change of one preference does not block a change of another', async () => {
    const db = await openFor('ada')
    await storePreferences(db, 'ada', { theme: 'dark' }, at(12))
    expect(await storePreferences(db, 'ada', { theme: 'light', week_start: 7 }, at(11))).toEqual({
      ...defaultPreferences,
      theme: 'dark',
      week_start: 7,
    })
  })

  test('the order of to-dos has its own instant: an older choice that arrives later does not undo it', async () => {
    const db = await openFor('ada')
    await storePreferences(db, 'ada', { todos_sort: 'manual' }, at(12))
    await storePreferences(db, 'ada', { theme: 'dark' }, at(13))
    expect(await storePreferences(db, 'ada', { todos_sort: 'due' }, at(11))).toMatchObject({
      todos_sort: 'manual',
    })
    expect(await storePreferences(db, 'ada', { todos_sort: 'newest' }, at(12))).toMatchObject({
      todos_sort: 'newest',
      theme: 'dark',
    })
  })

  test('the start page has its own instant: an older choice that arrives later does not undo it', async () => {
    const db = await openFor('ada')
    await storePreferences(db, 'ada', { start_page: 'today' }, at(12))
    await storePreferences(db, 'ada', { theme: 'dark' }, at(13))
    expect(await storePreferences(db, 'ada', { start_page: 'todos' }, at(11))).toMatchObject({
      start_page: 'today',
      theme: 'dark',
    })
  })

  test('zone and following are one preference: a late report from a browser does not undo a choice', async () => {
    const db = await openFor('ada')
    await storePreferences(db, 'ada', { time_zone: 'Europe/Lisbon' }, at(12))
    const reported = { time_zone: 'Asia/Tokyo', time_zone_follows_browser: true }
    const chosen = { time_zone: 'Europe/Lisbon', time_zone_follows_browser: false }
    expect(await storePreferences(db, 'ada', reported, at(11))).toMatchObject(chosen)
    expect(await storePreferences(db, 'ada', { time_zone_follows_browser: true }, at(11))).toMatchObject(
      chosen,
    )
    expect(await storePreferences(db, 'ada', reported, at(13))).toMatchObject(reported)
  })

  test("someone else's preferences are untouched", async () => {
    const db = await openFor('ada', 'grace')
    await storePreferences(db, 'ada', { theme: 'dark', day_start: 180 }, at(9))
    expect(await readPreferences(db, 'grace')).toEqual(defaultPreferences)
    await storePreferences(db, 'grace', { theme: 'light', week_start: 7 }, at(10))
    expect(await readPreferences(db, 'ada')).toEqual({ ...defaultPreferences, theme: 'dark', day_start: 180 })
  })

  test('many first changes at the same moment are all stored', async () => {
    const db = await openFor('ada')
    const changes = [
      { time_zone: 'Asia/Tokyo' },
      { day_start: 180 },
      { week_start: 7 },
      { theme: 'dark' },
      { todos_sort: 'due' },
      { start_page: 'today' },
      { focus_plan: { ...defaultPlan, focus: 50 } },
    ] as const
    await Promise.all(changes.map((change) => storePreferences(db, 'ada', change, at(9))))
    expect(await readPreferences(db, 'ada')).toEqual({
      time_zone: 'Asia/Tokyo',
      time_zone_follows_browser: false,
      day_start: 180,
      week_start: 7,
      theme: 'dark',
      todos_sort: 'due',
      start_page: 'today',
      focus_plan: { ...defaultPlan, focus: 50 },
    })
  })

  test('the preferences of an account are deleted with it, and no others', async () => {
    const db = await openFor('ada', 'grace')
    for (const user of ['ada', 'grace']) await storePreferences(db, user, { theme: 'dark' }, at(9))
    await db.auth.deleteFrom('user').where('id', '=', 'ada').execute()
    const left = await db.read.selectFrom('preferences').select('user_id').execute()
    expect(left).toEqual([{ user_id: 'grace' }])
  })
})

describeEachEngine("The preferences of a request's user", (openEmpty) => {
  /** `along`: what was read along when Ada's request was let in. She then had a dark theme, and has a light one since. */
  async function openChanged() {
    const db = await openEmpty()
    for (const user of ['ada', 'grace']) await addUser(db.auth, db.engine, user)
    await storePreferences(db, 'ada', { theme: 'dark' }, at(9))
    const along = await db.read
      .selectFrom('preferences')
      .select(preferencesAlong)
      .where('user_id', '=', 'ada')
      .executeTakeFirstOrThrow()
    await storePreferences(db, 'ada', { theme: 'light' }, at(10))
    return { db, along, preferencesOf: preferencesReader(db) }
  }

  /** Handles a request of Ada, who was found with this row. */
  function asAda<T>(found: object, handle: () => Promise<T>): Promise<T> {
    return handlingFor({ user: 'ada', token: 'any', revision: undefined, found: { ...found } }, handle)
  }

  const dark = { ...defaultPreferences, theme: 'dark' }
  const light = { ...defaultPreferences, theme: 'light' }

  test('are those that were read along when it was let in', async () => {
    const { along, preferencesOf } = await openChanged()
    expect(await asAda(along, () => preferencesOf('ada'))).toEqual(dark)
    expect(await preferencesOf('ada')).toEqual(light)
  })

  test('are the defaults if there was no row to read along', async () => {
    const { preferencesOf } = await openChanged()
    const nothing = Object.fromEntries(preferencesAlong.map((column) => [column, null]))
    expect(await asAda(nothing, () => preferencesOf('ada'))).toEqual(defaultPreferences)
  })

  test.each(preferencesAlong)('are read if %s was not read along', async (column) => {
    const { along, preferencesOf } = await openChanged()
    const { [column]: _, ...rest } = along
    expect(await asAda(rest, () => preferencesOf('ada'))).toEqual(light)
  })

  test('are read if the request is not theirs', async () => {
    const { db, along, preferencesOf } = await openChanged()
    await asAda(along, async () => {
      expect(await preferencesOf('grace')).toEqual(defaultPreferences)
      await storePreferences(db, 'grace', { theme: 'dark', week_start: 7 }, at(11))
      expect(await preferencesOf('grace')).toEqual({ ...dark, week_start: 7 })
      expect(await preferencesOf('ada')).toEqual(dark)
    })
  })

  test('are read once the request has changed them itself, or was kept from it', async () => {
    const { db, along, preferencesOf } = await openChanged()
    await asAda(along, async () => {
      await storePreferences(db, 'ada', { theme: 'dark' }, at(8))
      expect(await preferencesOf('ada')).toEqual(light)
      await storePreferences(db, 'ada', { week_start: 7 }, at(11))
      expect(await preferencesOf('ada')).toEqual({ ...light, week_start: 7 })
    })
  })

  test('are read once the request has failed to change them', async () => {
    const { db, along, preferencesOf } = await openChanged()
    await asAda(along, async () => {
      const refusing = () => Promise.reject(new Error('refused'))
      const change = storePreferences(db, 'ada', { time_zone: 'Asia/Tokyo' }, at(11), refusing)
      await expect(change).rejects.toThrow('refused')
      expect(await preferencesOf('ada')).toEqual(light)
    })
  })

  test('are read by each of many requests that change them at once, and by no other request', async () => {
    const { db, along, preferencesOf } = await openChanged()
    const changing = (minutes: number) =>
      asAda(along, async () => {
        await storePreferences(db, 'ada', { day_start: minutes }, at(11))
        return preferencesOf('ada')
      })
    const readingBefore = asAda(along, async () => {
      await Promise.all([1, 2, 3, 4, 5].map(changing))
      return preferencesOf('ada')
    })
    const [changed, before] = await Promise.all([Promise.all([6, 7, 8].map(changing)), readingBefore])
    expect(changed.map(({ theme }) => theme)).toEqual(['light', 'light', 'light'])
    expect(before).toEqual(dark)
  })
})
