import { Card } from '#platform/ui/card.tsx'
import type { User } from '../account.ts'
import { DeleteAccount } from './delete-account.tsx'

export function DangerZoneCard({ user }: { user: User }) {
  return (
    <Card
      title="Danger Zone"
      subtitle="Your account and all of its data, for good"
      action={<DeleteAccount user={user} />}
    />
  )
}
