import { useEffect } from 'react'
import { usePreferences } from '#features/preferences/web/use-preferences.ts'
import { startPageOf } from '#platform/browser/device/start-page.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'

/** Keeps what this device stores of preferences by itself in step with those of the account. Draws nothing. */
export function KeepPreferences() {
  const { account } = useSync()
  const { preferences } = usePreferences()
  const startPage = preferences?.start_page
  useEffect(() => {
    const kept = startPageOf(account)
    if (startPage && kept.read() !== startPage) kept.write(startPage)
  }, [account, startPage])
  return null
}
