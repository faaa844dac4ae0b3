import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrations } from '#platform/database/migrations/migrations.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngineUrl } from '#platform/database/testing/engines.ts'

describeEachEngineUrl('an update to reminders', (emptyUrl) => {
  it('keeps what is there, without reminders, and accepts every later change of it', async () => {
    const url = await emptyUrl()
    const older = await openDatabase(
      url,
      migrations.filter(({ name }) => name < '0008'),
    )
    await addUser(older.auth, older.engine, 'ada')
    await older.write(async (tx) => {
      await sql`insert into todos values ('ada', 'a', 'Water the plants', 5, 0, null, null, 5, 5, 7, null, 5)`.execute(
        tx,
      )
      await sql`insert into habits values ('ada', 'a', 'Read', 6, '', 6, 'daily', 6, '2026-11-01', null, null, null, null, 6, 8, null, 6)`.execute(
        tx,
      )
    })
    await older.close()

    const newer = await openDatabase(url)
    const todos = await newer.read.selectFrom('todos').selectAll().execute()
    expect(todos).toMatchObject([
      {
        title: 'Water the plants',
        updated_at: 7,
        due_day: null,
        due_day_at: 5,
        remind_at: null,
        remind_changed_at: 5,
      },
    ])
    const habits = await newer.read.selectFrom('habits').selectAll().execute()
    expect(habits).toMatchObject([
      { name: 'Read', updated_at: 8, reminder_time: null, reminder_weekdays: null, reminder_changed_at: 6 },
    ])
    await newer.close()
  })
})
