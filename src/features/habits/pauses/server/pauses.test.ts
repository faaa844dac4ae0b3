import { expect, test } from 'vitest'
import { dayFromNumber } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { pauseStore, pauses } from './pauses.ts'

describeEachEngine('The pauses of habits', (openEmpty) => {
  test('are listed and exported once each, in the order in which they were made, however many there are', async () => {
    const db = await openEmpty()
    for (const user of ['ada', 'eve']) await addUser(db.auth, db.engine, user)
    const ids = Array.from({ length: 2_000 }, (_, place) => String(place).padStart(4, '0'))
    const from_day = dayFromNumber(20_000)
    // Many were made at the same instant, and those with later ids were made first.
    const rows = ids.map((id, place) =>
      pauses.rows.newRow('ada', id, { habit_id: null, from_day }, 10 - Math.floor(place / 700)),
    )
    for (const batch of inBatches(rows))
      await db.write((tx) => tx.insertInto('pauses').values(batch).execute())
    await pauseStore.add(db, 'eve', 'hers', { habit_id: null, from_day, at: 1 })
    await pauseStore.remove(db, 'ada', '0001', 20)

    const inOrder = [...ids.slice(1_400), ...ids.slice(700, 1_400), ...ids.slice(0, 700)]
    const left = inOrder.filter((id) => id !== '0001')
    const listed = (await Array.fromAsync(pauseStore.list(db, 'ada'))).flat()
    expect(listed.map(({ id }) => id)).toEqual(left)
    const exported = (await Array.fromAsync(pauses.exported(db, 'ada'))).flat()
    expect(exported.map(({ id }) => id)).toEqual(left)
  })
})
