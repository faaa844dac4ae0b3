import { preferencesResponseSchema } from '#features/preferences/preferences.ts'
import { startPageOf } from '#platform/browser/device/start-page.ts'
import { sendRequest } from '#platform/sync/network/request.ts'

/** In milliseconds: how long a person may have to wait for the start screen. */
const patience = 3_000

/**
 * Asks the server for the start screen of an account that has just signed in, because this device may not know the screen yet.
 * Without a response, the screen that the device knows stays. Never rejects.
 */
export async function learnStartPage(account: string): Promise<void> {
  const request = { method: 'GET', path: '/api/preferences' } as const
  const result = await sendRequest(request, account, AbortSignal.timeout(patience))
  const response = result.kind === 'done' && preferencesResponseSchema.safeParse(result.body).data
  if (response) startPageOf(account).write(response.preferences.start_page)
}
