import type { Instant } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Database } from '#platform/database/database.ts'
import { instantForAuth } from '#platform/database/tables.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { newRowId } from '#platform/wire/new-row-id.ts'
import type { PushService, SubscribedBrowser } from '#testing/push-service.ts'

export interface RemindedPerson {
  browsers: SubscribedBrowser[]
  /** Ids of their to-dos. */
  todos: string[]
}

/** Puts somebody into the database who is to be reminded of so many to-dos at `due`, in each of so many browsers. */
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
        ...{
          user_id: user,
          id: newRowId(now + place, new Uint8Array(10)),
          session_id: session,
          added_at: now,
        },
        ...{ endpoint: subscription.endpoint, ...subscription.keys, last_at: null, last_outcome: null },
      }
      await tx.insertInto('push_devices').values(device).execute()
    }
    for (const batch of inBatches(todos)) {
      await tx.insertInto('todos').values(batch).execute()
      const alarms = batch.map(({ id }) => ({
        ...{ user_id: user, kind: 'todo' as const, row_id: id, due_at: due },
        ...{ reminded_on: null, day: null },
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
  return {
    ...{ user_id: user, id, title: `Task ${id}`, title_at: at },
    ...{ completed: 0 as const, completed_on: null, completed_at: null, completed_changed_at: at },
    ...{ due_day: null, due_day_at: at, remind_at: at, remind_changed_at: at },
    ...{ created_at: at, updated_at: at, deleted_at: null, deletion_changed_at: at },
  }
}
