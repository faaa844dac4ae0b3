import * as z from 'zod/mini'
import {
  mailChoiceSchema,
  type Outcome,
  outcomeSchema,
  type PushDevice,
  pushDeviceSchema,
  type Reminders,
  remindersSchema,
} from '#features/reminders/reminder/reminder-wire.ts'
import { type ApiRequest, type RequestResult, sendRequest } from '#platform/sync/network/request.ts'
import {
  formatRequestProblem,
  type RequestProblem,
  requestProblemOf,
} from '#platform/sync/network/request-problem.ts'
import type { Subscription } from '../push-subscription.ts'

/** The result of a request: the response, or the reason why there is none. */
export type CallResult<Value> = { value: Value } | { problem: string; requestProblem: RequestProblem }

export function readReminders(account: string, signal?: AbortSignal): Promise<CallResult<Reminders>> {
  return call(account, { method: 'GET', path: '/api/reminders' }, remindersSchema, signal)
}

export async function putDevice(
  account: string,
  subscription: Subscription,
): Promise<CallResult<PushDevice>> {
  const request = { method: 'PUT', path: '/api/reminders/devices', body: subscription } as const
  const result = await call(account, request, z.object({ device: pushDeviceSchema }))
  return 'value' in result ? { value: result.value.device } : result
}

/** A device that no longer exists counts as removed. */
export async function removeDevice(account: string, id: string): Promise<CallResult<true>> {
  const request = { method: 'DELETE', path: `/api/reminders/devices/${id}` } as const
  const result = await sendRequest(request, account, new AbortController().signal)
  if (result.kind === 'done' || (result.kind === 'refused' && result.status === 404)) return { value: true }
  return problemOf(result)
}

export async function sendTest(account: string, id: string): Promise<CallResult<Outcome>> {
  const request = { method: 'POST', path: `/api/reminders/devices/${id}/test` } as const
  const result = await call(account, request, z.object({ outcome: outcomeSchema }))
  return 'value' in result ? { value: result.value.outcome } : result
}

export function chooseMail(account: string, mail: boolean): Promise<CallResult<{ mail: boolean }>> {
  return call(account, { method: 'PATCH', path: '/api/reminders', body: { mail } }, mailChoiceSchema)
}

async function call<Schema extends z.ZodMiniType>(
  account: string,
  request: ApiRequest,
  schema: Schema,
  signal = new AbortController().signal,
): Promise<CallResult<z.output<Schema>>> {
  const result = await sendRequest(request, account, signal)
  const read = result.kind === 'done' ? schema.safeParse(result.body) : undefined
  if (read?.success) return { value: read.data }
  // An ended sign-in session is not an error, and neither is a request that was aborted because the person left the screen.
  if (result.kind !== 'signed-out' && !signal.aborted) {
    console.warn(`${request.method} ${request.path} failed`, result)
  }
  return problemOf(result)
}

function problemOf(result: RequestResult): { problem: string; requestProblem: RequestProblem } {
  return { problem: reasonOf(result), requestProblem: requestProblemOf(result) }
}

function reasonOf(result: RequestResult): string {
  if (result.kind === 'refused') return result.failure.message
  return result.kind === 'signed-out' ? "You're signed out." : formatRequestProblem(requestProblemOf(result))
}
