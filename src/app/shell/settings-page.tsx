import { areUnchosen } from '#features/preferences/preferences.ts'
import { PreferencesCard } from '#features/preferences/web/preferences-card.tsx'
import { usePreferences } from '#features/preferences/web/use-preferences.ts'
import { YourDataCard } from '#features/your-data/web/your-data-card.tsx'
import { Page } from '#platform/ui/page.tsx'

/** The cards of the features that have something to set. */
export function SettingsPage() {
  const { preferences } = usePreferences()
  return (
    <Page title="Settings" subtitle="Manage your account settings and preferences">
      <div className="mt-6 grid gap-4">
        <PreferencesCard />
        <YourDataCard takePreferences={preferences !== undefined && areUnchosen(preferences)} />
      </div>
    </Page>
  )
}
