import { preferencesResponseSchema } from '#features/preferences/preferences.ts'
import { startPageOf } from '#platform/browser/device/start-page.ts'
import { sendRequest } from '#platform/sync/network/request.ts'

/** In milliseconds: how long a person may have to wait for the start screen. */
const patience = 3_000

/**
 * Asks with which screen an account opens that has just signed in: this device may not know it yet. Without a response it stays as it
 * is known. Never rejects.
 */
export async function learnStartPage(account: string): Promise<void> {
  const request = { method: 'GET', path: '/api/preferences' } as const
  const result = await sendRequest(request, account, AbortSignal.timeout(patience))
  const response = result.kind === 'done' && preferencesResponseSchema.safeParse(result.body).data
  if (response) startPageOf(account).write(response.preferences.start_page)
}
