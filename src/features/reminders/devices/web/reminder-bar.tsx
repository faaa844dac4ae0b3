import { Bell } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#platform/ui/controls/button.tsx'
import { formatPushPermission, pushIsOff } from './format-push-permission.ts'
import type { PushPermission } from './push-permission.ts'
import { useReminders } from './use-reminders.ts'

interface ReminderBarProps {
  permission: PushPermission
  onAllow(): Promise<void>
  /** Called when the person declines, or closes the explanation of why reminders cannot ring here. */
  onDecline(): void
}

/**
 * Tells what the browser is about to ask, or why it cannot ask. Does not take the focus, so that a person who is typing can go
 * on.
 */
export function ReminderBar({ permission, onAllow, onDecline }: ReminderBarProps) {
  const { reminders, status } = useReminders()
  const [allowing, setAllowing] = useState(false)
  const isOff = reminders?.public_key === null
  const askable = !isOff && (permission === 'undecided' || permission === 'allowed')

  const allow = async () => {
    setAllowing(true)
    await onAllow()
    setAllowing(false)
  }

  if (status === 'loading') return null
  return (
    <section
      aria-label="Reminders on this device"
      className="mt-4 flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-raised py-2 pr-2 pl-4 text-control text-ink-2 ring ring-line"
    >
      <Bell size={16} className="mt-0.5 shrink-0 self-start text-ink-2 md:mt-0 md:self-center" />
      <p className="min-w-0 flex-[1_1_14rem] text-pretty">
        <span className="font-medium text-ink">
          {askable ? 'Reminders can ring on this device.' : "Reminders can't ring on this device."}
        </span>{' '}
        {askable ? (
          <span className="max-lg:hidden">They come even when Daymark is closed.</span>
        ) : isOff ? (
          pushIsOff
        ) : (
          formatPushPermission[permission]
        )}
      </p>
      <span className="flex gap-1 max-md:basis-full max-md:pl-6">
        {askable && (
          <Button variant="secondary" busy={allowing} onClick={() => void allow()} className="min-h-8 px-3">
            Allow
          </Button>
        )}
        <Button variant="quiet" onClick={onDecline} className="min-h-8 px-3">
          {askable ? 'Not now' : 'Close'}
        </Button>
      </span>
    </section>
  )
}
