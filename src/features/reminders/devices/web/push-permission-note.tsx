import { Link } from '@tanstack/react-router'
import { pushIsOff } from './format-push-permission.ts'
import { useThisDevice } from './reminders-provider.tsx'
import { useReminders } from './use-reminders.ts'

/**
 * Shown where a person sets a reminder: warns if no device or mailbox would receive the reminder. Shows nothing if the person is
 * about to be asked about reminders on this device.
 */
export function PushPermissionNote() {
  const { reminders } = useReminders()
  const here = useThisDevice()
  if (!reminders || !here) return null
  const { public_key, devices, mail } = reminders
  if (devices.length > 0 || (mail.on && mail.available)) return null
  const isOff = public_key === null
  if (!isOff && here.asksSoon) return null
  return (
    <p className="text-pretty text-ink-2 text-small">
      {isOff ? pushIsOff : "Reminders aren't on for any device yet."}{' '}
      {(!isOff || mail.available) && (
        <Link to="/settings" className="font-medium text-ink underline underline-offset-2">
          {isOff ? 'Turn on email reminders in Settings' : 'Turn them on in Settings'}
        </Link>
      )}
    </p>
  )
}
