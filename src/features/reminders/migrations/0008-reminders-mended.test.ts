import { expect, it } from 'vitest'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describeEachEngineUrl } from '#platform/database/testing/engines.ts'
import { landedSchemas, makeLanded, openPlain } from '#platform/database/testing/landed-database.ts'

describeEachEngineUrl('an update from the first reminders', (emptyUrl, engine) => {
  it('does not send again what was sent, and still sends what is to come', async () => {
    const url = await emptyUrl()
    const former = await openPlain(url)
    const schema = landedSchemas.find(({ steps }) => steps.at(-1)?.name === '0008-reminders')
    if (!schema) throw new Error('No such schema')
    await makeLanded(former, engine, schema)
    const unconfirmed = engine === 'sqlite' ? '0' : 'false'
    await former.all(
      `insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
       values ('ada', 'ada', 'ada@example.org', ${unconfirmed}, '2026-01-01', '2026-01-01')`,
    )
    for (const { id, completed, remindAt, deletedAt } of [
      { id: 'said', completed: 0, remindAt: '50', deletedAt: 'null' },
      { id: 'to come', completed: 0, remindAt: '60', deletedAt: 'null' },
      { id: 'done', completed: 1, remindAt: '70', deletedAt: 'null' },
      { id: 'deleted', completed: 0, remindAt: '80', deletedAt: '9' },
      { id: 'without', completed: 0, remindAt: 'null', deletedAt: 'null' },
    ]) {
      await former.all(
        `insert into todos (user_id, id, title, title_at, completed, completed_changed_at, created_at, updated_at, deleted_at,
           deletion_changed_at, remind_at)
         values ('ada', '${id}', 'Water the plants', 1, ${completed}, 1, 1, 1, ${deletedAt}, 1, ${remindAt})`,
      )
    }
    await former.all(
      `insert into alarms (user_id, kind, row_id, due_at) values ('ada', 'todo', 'to come', 60)`,
    )
    await former.close()

    const db = await openDatabase(url)
    const rows = await db.read.selectFrom('todos').select(['id', 'reminded_at']).execute()
    expect(Object.fromEntries(rows.map(({ id, reminded_at }) => [id, reminded_at]))).toEqual({
      said: 50,
      'to come': null,
      done: null,
      deleted: null,
      without: null,
    })
    await db.close()
  })
})
