import { useEffect } from 'react'
import { usePreferences } from '#features/preferences/web/use-preferences.ts'
import { startPageOf } from '#platform/browser/device/start-page.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'

/** Updates the copies of preferences that this device stores. Draws nothing. */
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
