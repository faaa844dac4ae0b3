import { createHash } from 'node:crypto'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { PushSubscription } from '#platform/push/encrypt.ts'
import type { Pusher, PushOutcome } from '#platform/push/pusher.ts'
import type { Outcome, PushMessage } from '../reminder.ts'
import { deleteGoneDevice, keepOutcome } from './push-device-store.ts'

// A test is for whoever looks at the screen now.
const testTtl = 60

/** Pushes a message at once, and keeps what became of it. */
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
    else await keepOutcome(tx, user, pushedTo, outcome, clock())
  })
  return outcome === 'gone' ? 'refused' : outcome
}

/** `ttl`: seconds after which it has nothing to say any more. */
export function pushMessage(
  pusher: Pusher,
  device: PushSubscription,
  message: PushMessage,
  ttl: number,
): Promise<PushOutcome> {
  // A push service shows it to nobody: what waits for a browser that is away is replaced by the next about the same.
  const topic = createHash('sha256').update(`${message.kind} ${message.id}`).digest('base64url').slice(0, 32)
  return pusher.push(device, JSON.stringify(message), { ttl, topic })
}
