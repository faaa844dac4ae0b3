import { DeviceList } from '#features/account/devices/web/device-list.tsx'
import type { User } from '#features/account/session/user.ts'
import { Card } from '#platform/ui/layout/card.tsx'
import { ChangePassword } from './change-password.tsx'

/** The card with the password and the signed-in devices. */
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
