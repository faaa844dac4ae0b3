import { AddressCheck } from '#features/account/web/address-check.tsx'
import { PreferencesCard } from '#features/preferences/web/preferences-card.tsx'
import { Page } from '#platform/ui/page.tsx'

/** The cards of the features that have something to set. */
export function SettingsPage() {
  return (
    <Page title="Settings" subtitle="Manage your account settings and preferences">
      <div className="mt-6 grid gap-4">
        <PreferencesCard />
        <AddressCheck />
      </div>
    </Page>
  )
}
