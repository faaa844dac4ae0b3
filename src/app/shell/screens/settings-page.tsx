import { use } from 'react'
import { DangerZoneCard } from '#features/account/ending/web/danger-zone-card.tsx'
import { SecurityCard } from '#features/account/password/web/security-card.tsx'
import { ProfileCard } from '#features/account/profile/web/profile-card.tsx'
import { ShownUserContext } from '#features/account/session/web/session.ts'
import { ImportRow } from '#features/imports/pages/import-row.tsx'
import { areDefaults } from '#features/preferences/are-defaults.ts'
import { PreferencesCard } from '#features/preferences/web/preferences-card.tsx'
import { usePreferences } from '#features/preferences/web/use-preferences.ts'
import { RemindersCard } from '#features/reminders/settings/web/reminders-card.tsx'
import { YourDataCard } from '#features/your-data/web/your-data-card.tsx'
import { Page } from '#platform/ui/layout/page.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'

/** The settings cards of all features. */
export function SettingsPage() {
  const user = use(ShownUserContext)
  const { preferences } = usePreferences()
  const ImportsOfFeatures = usePart(LazyImports, true)
  return (
    <Page title="Settings" subtitle="Manage your account settings and preferences">
      <div className="mt-6 grid gap-4">
        {user && <ProfileCard user={user} />}
        <PreferencesCard />
        <RemindersCard />
        {user && <SecurityCard user={user} />}
        <YourDataCard>
          <ImportRow />
        </YourDataCard>
        {ImportsOfFeatures && (
          <ImportsOfFeatures takePreferences={preferences !== undefined && areDefaults(preferences)} />
        )}
        {user && <DangerZoneCard user={user} />}
      </div>
    </Page>
  )
}

const LazyImports = lazyPart(() => import('./imports.tsx'), 'ImportsOfFeatures', 'after the screen')
