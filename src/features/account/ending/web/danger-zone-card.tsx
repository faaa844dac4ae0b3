import type { User } from '#features/account/session/user.ts'
import { Card } from '#platform/ui/layout/card.tsx'
import { DeleteAccount } from './delete-account.tsx'

export function DangerZoneCard({ user }: { user: User }) {
  return (
    <Card
      title="Danger Zone"
      subtitle="Permanently delete your account and all its data"
      action={<DeleteAccount user={user} />}
    />
  )
}
