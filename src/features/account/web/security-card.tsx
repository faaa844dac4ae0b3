import { Card } from '#platform/ui/layout/card.tsx'
import type { User } from '../user.ts'
import { ChangePassword } from './change-password.tsx'
import { DeviceList } from './device-list.tsx'

/** The password and the signed-in devices. */
export function SecurityCard({ user }: { user: User }) {
  return (
    <Card
      title="Security"
      subtitle="Changing your password signs out your other devices"
      action={<ChangePassword user={user} />}
    >
      <DeviceList user={user} />
    </Card>
  )
}
