import { Link } from '@tanstack/react-router'
import { useThisDevice } from './reminders-provider.tsx'
import { useReminders } from './use-reminders.ts'

/** For places where a reminder is set: warns if it would reach the person nowhere, and they are not about to be asked. */
export function PushPermissionNote() {
  const { reminders } = useReminders()
  const here = useThisDevice()
  if (!reminders || !here || here.asksSoon) return null
  const { devices, mail } = reminders
  if (devices.length > 0 || (mail.on && mail.available)) return null
  return (
    <p className="text-pretty text-ink-2 text-small">
      Reminders aren't on for any device yet.{' '}
      <Link to="/settings" className="font-medium text-ink underline underline-offset-2">
        Turn them on in Settings
      </Link>
    </p>
  )
}
