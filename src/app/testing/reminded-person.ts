import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { instantForAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import type { PushService, SubscribedBrowser } from '#testing/push-service.ts'

export interface RemindedPerson {
  browsers: SubscribedBrowser[]
  /** The ids of the person's to-dos. */
  todos: string[]
}

/** Adds a user with the given numbers of to-dos that have a reminder at `due`, and of subscribed browsers. */
export async function addRemindedPerson(
  database: Database,
  service: PushService,
  user: string,
  { due, now, todos: count, browsers: devices = 1 }: Wishes,
): Promise<RemindedPerson> {
  await addUser(database.auth, database.engine, user)
  const browsers = Array.from({ length: devices }, () => service.subscribe())
  const todos = Array.from({ length: count }, (_, place) =>
    todoOf(user, newRowId(now + place, crypto.getRandomValues(new Uint8Array(10))), due),
  )
  await database.write(async (tx) => {
    const stamp = instantForAuth(database.engine, now)
    const expiresAt = instantForAuth(database.engine, now + 3_600_000)
    for (const [place, { subscription }] of browsers.entries()) {
      const session = `${user}-${place}`
      const times = { expiresAt, createdAt: stamp, updatedAt: stamp }
      const signIn = { id: session, token: session, userId: user, ipAddress: null, userAgent: null }
      await tx
        .insertInto('session')
        .values({ ...signIn, ...times })
        .execute()
      const device = {
        user_id: user,
        id: newRowId(now + place, new Uint8Array(10)),
        session_id: session,
        added_at: now,
        endpoint: subscription.endpoint,
        ...subscription.keys,
        last_at: null,
        last_outcome: null,
      }
      await tx.insertInto('push_devices').values(device).execute()
    }
    for (const batch of inBatches(todos)) {
      await tx.insertInto('todos').values(batch).execute()
      const alarms = batch.map(({ id }) => ({
        user_id: user,
        kind: 'todo' as const,
        row_id: id,
        due_at: due,
        reminded_on: null,
        day: null,
      }))
      await tx.insertInto('alarms').values(alarms).execute()
    }
  })
  return { browsers, todos: todos.map(({ id }) => id) }
}

interface Wishes {
  due: Instant
  now: Instant
  todos: number
  browsers?: number
}

function todoOf(user: string, id: string, at: Instant) {
  return todoRows.newRow(user, id, { title: `Task ${id}`, remind_at: instantToWire(at) }, at)
}
