import * as z from 'zod/mini'
import { type Answer, ask, type Request } from '#platform/sync/answer.ts'
import { type Trouble, troubleOf } from '#platform/sync/trouble.ts'
import {
  mailChoiceSchema,
  type Outcome,
  outcomeSchema,
  type PushDevice,
  pushDeviceSchema,
  type Reminders,
  remindersSchema,
  type Subscription,
} from '../reminder.ts'

/** What came of a call: what it answered, or why not. */
export type Called<Value> = { value: Value } | { problem: string; trouble: Trouble }

export function readReminders(account: string, signal?: AbortSignal): Promise<Called<Reminders>> {
  return call(account, { method: 'GET', path: '/api/reminders' }, remindersSchema, signal)
}

export async function putDevice(account: string, subscription: Subscription): Promise<Called<PushDevice>> {
  const request = { method: 'PUT', path: '/api/reminders/devices', body: subscription } as const
  const called = await call(account, request, z.object({ device: pushDeviceSchema }))
  return 'value' in called ? { value: called.value.device } : called
}

/** One that is not there any more is as good as removed. */
export async function removeDevice(account: string, id: string): Promise<Called<true>> {
  const request = { method: 'DELETE', path: `/api/reminders/devices/${id}` } as const
  const answer = await ask(request, account, new AbortController().signal)
  if (answer.kind === 'done' || (answer.kind === 'refused' && answer.status === 404)) return { value: true }
  return problemOf(answer)
}

export async function sendTest(account: string, id: string): Promise<Called<Outcome>> {
  const request = { method: 'POST', path: `/api/reminders/devices/${id}/test` } as const
  const called = await call(account, request, z.object({ outcome: outcomeSchema }))
  return 'value' in called ? { value: called.value.outcome } : called
}

export function chooseMail(account: string, mail: boolean): Promise<Called<{ mail: boolean }>> {
  return call(account, { method: 'PATCH', path: '/api/reminders', body: { mail } }, mailChoiceSchema)
}

async function call<Schema extends z.ZodMiniType>(
  account: string,
  request: Request,
  schema: Schema,
  signal = new AbortController().signal,
): Promise<Called<z.output<Schema>>> {
  const answer = await ask(request, account, signal)
  const read = answer.kind === 'done' ? schema.safeParse(answer.body) : undefined
  if (read?.success) return { value: read.data }
  // That the sign-in has ended is nothing that went wrong; and nobody waits for it any more when a screen was left.
  if (answer.kind !== 'signed-out' && !signal.aborted) {
    console.warn(`${request.method} ${request.path} failed`, answer)
  }
  return problemOf(answer)
}

function problemOf(answer: Answer): { problem: string; trouble: Trouble } {
  return { problem: reasonOf(answer), trouble: answer.kind === 'done' ? 'broken' : troubleOf(answer) }
}

function reasonOf(answer: Answer): string {
  if (answer.kind === 'refused') return answer.failure.message
  return answer.kind === 'signed-out' ? "You're signed out." : "The server can't be reached."
}
