import { createHash } from 'node:crypto'
import type { Outcome, PushMessage } from '#features/reminders/reminder/reminder-wire.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { PushSubscription } from '#platform/push/encrypt.ts'
import type { Pusher, PushOutcome } from '#platform/push/pusher.ts'
import { deleteGoneDevice, recordOutcome } from './push-device-store.ts'

// Seconds for which the push service keeps a test message: whoever sends a test is looking at the screen now.
const testTtl = 60

/** Pushes a message at once and records its outcome. */
export async function sendPush(
  { database, pusher, clock }: { database: Database; pusher: Pusher; clock: () => Instant },
  user: string,
  id: string,
  device: PushSubscription,
  message: PushMessage,
): Promise<Outcome> {
  const { outcome } = await pushMessage(pusher, device, message, testTtl)
  const pushedTo = { id, endpoint: device.endpoint }
  await database.write(async (tx) => {
    if (outcome === 'gone') await deleteGoneDevice(tx, user, pushedTo)
    else await recordOutcome(tx, user, pushedTo, outcome, clock())
  })
  return outcome === 'gone' ? 'refused' : outcome
}

/** `ttl` is the number of seconds after which the message is out of date. */
export function pushMessage(
  pusher: Pusher,
  device: PushSubscription,
  message: PushMessage,
  ttl: number,
): Promise<PushOutcome> {
  // A hash, so that the push service cannot read the row's id. While the browser is offline, a newer message with the same topic
  // replaces the waiting one.
  const topic = createHash('sha256').update(`${message.kind} ${message.id}`).digest('base64url').slice(0, 32)
  return pusher.push(device, JSON.stringify(message), { ttl, topic })
}
