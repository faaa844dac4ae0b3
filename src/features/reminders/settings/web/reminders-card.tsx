import { useId, useState } from 'react'
import type { ThisDevice } from '#features/reminders/devices/web/device-reminders.tsx'
import { formatPushPermission, pushIsOff } from '#features/reminders/devices/web/format-push-permission.ts'
import {
  type CallResult,
  chooseMail,
  removeDevice,
  sendTest,
} from '#features/reminders/devices/web/reminder-calls.ts'
import { useThisDevice } from '#features/reminders/devices/web/reminders-provider.tsx'
import { useReminders } from '#features/reminders/devices/web/use-reminders.ts'
import type { Outcome, PushDevice } from '#features/reminders/reminder/reminder-wire.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { moveFocusFromRows } from '#platform/browser/rows/row-focus.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { Card } from '#platform/ui/layout/card.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import { formatLastDelivery } from './format-last-delivery.ts'

/** The settings of how reminders reach the person: which devices receive them, whether they arrived there, and mail. */
export function RemindersCard() {
  const { account } = useSync()
  const { reminders, readAt, status, problem, reread } = useReminders()
  const here = useThisDevice()
  const isLoading = status === 'loading' || (status === 'ready' && !here)
  const devices = reminders?.devices ?? []
  const isHere = (device: PushDevice) => device.id === here?.id

  const remove = async (device: PushDevice) => {
    const removed = isHere(device)
      ? await here?.leave()
      : succeeded(`Failed to remove ${device.name}`, await removeDevice(account, device.id))
    if (!removed) return
    moveFocusFromRows((id) => id === device.id)
    toast.success(
      isHere(device) ? 'Reminders are off for this device' : `Reminders are off for ${device.name}`,
    )
    await reread()
  }

  const test = async (device: PushDevice) => {
    const result = await sendTest(account, device.id)
    if (succeeded('Failed to send the test', result) && 'value' in result) showOutcome(result.value)
    await reread()
  }

  return (
    <Card
      title="Reminders"
      subtitle="How Daymark reminds you about habits and tasks"
      busy={isLoading || undefined}
    >
      {status === 'failed' && (
        <div role="alert" className="mt-5 pt-4 shadow-[inset_0_1px_0_var(--line)]">
          <p className="font-medium text-control">Your reminder settings couldn't be loaded.</p>
          {problem && <p className="text-control text-ink-2">{formatRequestProblem(problem)}</p>}
          <Button variant="secondary" onClick={() => void reread()} className="mt-4">
            Try again
          </Button>
        </div>
      )}
      {isLoading && <Skeleton />}
      {reminders && here && (
        <div className="mt-3 -mb-3">
          {reminders.public_key === null && <PushIsOffRow />}
          {reminders.public_key !== null && !devices.some(isHere) && <AllowRow here={here} />}
          {devices.length > 0 && (
            <ul aria-label="Devices that get reminders" className="[list-style-type:'']">
              {devices.map((device) => (
                <DeviceRow
                  key={device.id}
                  device={device}
                  isThisOne={isHere(device)}
                  readAt={readAt}
                  onTest={() => test(device)}
                  onRemove={() => remove(device)}
                />
              ))}
            </ul>
          )}
          {(reminders.mail.available || reminders.mail.on) && (
            <MailRow
              on={reminders.mail.on}
              onChoose={async (mail) => {
                succeeded('Failed to change email reminders', await chooseMail(account, mail))
                await reread()
              }}
            />
          )}
        </div>
      )}
    </Card>
  )
}

const rowClass =
  'grid items-center gap-x-6 gap-y-2 py-3 shadow-[inset_0_1px_0_var(--line)] @[28rem]:grid-cols-[minmax(0,1fr)_auto]'

function PushIsOffRow() {
  return (
    <div className={rowClass}>
      <div className="min-w-0">
        <p className="font-medium text-control">No reminders on devices</p>
        <p className="text-pretty text-ink-3 text-small">{pushIsOff}</p>
      </div>
    </div>
  )
}

function AllowRow({ here: { permission, allow } }: { here: ThisDevice }) {
  const [allowing, setAllowing] = useState(false)
  const askable = permission === 'undecided' || permission === 'allowed'

  const press = async () => {
    setAllowing(true)
    if (await allow()) toast.success('Reminders are on for this device')
    setAllowing(false)
  }

  return (
    <div className={rowClass}>
      <div className="min-w-0">
        <p className="font-medium text-control">
          {askable ? "Reminders aren't on for this device yet" : 'No reminders on this device'}
        </p>
        <p className="text-pretty text-ink-3 text-small">{formatPushPermission[permission]}</p>
      </div>
      {askable && (
        <div>
          <Button variant="secondary" busy={allowing} onClick={() => void press()}>
            Allow reminders
          </Button>
        </div>
      )}
    </div>
  )
}

interface DeviceRowProps {
  device: PushDevice
  isThisOne: boolean
  readAt: number
  onTest(): Promise<void>
  onRemove(): Promise<void>
}

function DeviceRow({ device, isThisOne, readAt, onTest, onRemove }: DeviceRowProps) {
  const { timeZone } = useUserCalendar()
  const [doing, setDoing] = useState<'test' | 'remove'>()
  const id = useId()

  const press = async (what: 'test' | 'remove') => {
    setDoing(what)
    await (what === 'test' ? onTest() : onRemove())
    setDoing(undefined)
  }

  return (
    <li
      data-row={device.id}
      tabIndex={-1}
      className={`${rowClass} outline-none focus-visible:rounded-control focus-visible:outline-2 focus-visible:outline-accent`}
    >
      <div className="min-w-0">
        <p className="line-clamp-2 font-medium text-control wrap-anywhere">{device.name}</p>
        <p id={id} className="text-ink-3 text-small">
          {isThisOne && 'This device · '}
          {formatLastDelivery(device.last_delivery, { now: readAt, timeZone })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          busy={doing === 'test'}
          onClick={() => void press('test')}
          aria-label={`Send a test to ${device.name}`}
          // The description distinguishes two browsers with the same name.
          aria-describedby={id}
        >
          Send a test
        </Button>
        <Button
          variant="quiet"
          busy={doing === 'remove'}
          onClick={() => void press('remove')}
          aria-label={`Remove ${device.name}`}
          aria-describedby={id}
          className="-mr-4"
        >
          Remove
        </Button>
      </div>
    </li>
  )
}

/** Shows the person's choice at once, and the server's state once it has responded. */
function MailRow({ on, onChoose }: { on: boolean; onChoose(mail: boolean): Promise<void> }) {
  const [chosen, setChosen] = useState<boolean>()
  const id = useId()
  return (
    <div className="flex items-center gap-3 py-3 shadow-[inset_0_1px_0_var(--line)]">
      <Checkbox
        id={id}
        aria-describedby={`${id}-hint`}
        checked={chosen ?? on}
        onChange={async (event) => {
          const mail = event.currentTarget.checked
          setChosen(mail)
          await onChoose(mail)
          setChosen(undefined)
        }}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block font-medium text-control">
          Also by email
        </label>
        <p id={`${id}-hint`} className="text-ink-3 text-small">
          Sent to your login email, one email per reminder
        </p>
      </div>
    </div>
  )
}

function Skeleton() {
  return (
    <div className="mt-3 -mb-3">
      <div className="grid gap-2 py-4 shadow-[inset_0_1px_0_var(--line)]">
        <span className="sr-only">Loading...</span>
        <span className="block h-3.5 w-56 rounded-box bg-heat-0" />
        <span className="block h-2.5 w-36 rounded-box bg-heat-0" />
      </div>
    </div>
  )
}

/** Whether the request succeeded. Shows an error message if not. */
function succeeded(failure: string, result: CallResult<unknown>): boolean {
  if ('value' in result) return true
  toast.error(failure, { description: result.problem })
  return false
}

function showOutcome(outcome: Outcome): void {
  if (outcome === 'delivered') {
    toast.success('Test sent', { description: 'It should appear on the device in a moment.' })
  } else if (outcome === 'refused') {
    toast.error('The test was rejected', {
      description:
        "The browser's push service no longer recognizes this device. Allow reminders again on that device.",
    })
  } else {
    toast.error("The test couldn't be delivered", {
      description: "The browser's push service can't be reached right now.",
    })
  }
}
