import { Laptop, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { User } from '#features/account/session/user.ts'
import { type AuthResponse, post } from '#features/account/session/web/auth-request.ts'
import { useFailureToast } from '#features/account/session/web/use-failure-toast.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { moveFocusFromRows } from '#platform/browser/rows/row-focus.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import { type Device, useDevices } from './devices.ts'
import { formatLastUse } from './format-last-use.ts'

const icons = { computer: Laptop, phone: Smartphone, tablet: Tablet, unknown: MonitorSmartphone }

/** The browsers that are signed in to the account. Each can be signed out, or all but this one at once. */
export function DeviceList({ user }: { user: User }) {
  const { devices, readAt, status, problem, reread } = useDevices(user)
  const showFailure = useFailureToast()
  const [signingOutOthers, setSigningOutOthers] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const others = devices?.filter(({ isThisOne }) => !isThisOne) ?? []

  const signOut = async (device: Device) => {
    const response = await signOutDevice(user.id, device.token)
    if (!response.ok) return showFailure(`Failed to sign out ${device.name}`, response)
    moveFocusFromRows((id) => id === device.id)
    toast.success(`Signed out ${device.name}`)
    await reread()
  }

  const signOutOthers = async () => {
    setSigningOutOthers(true)
    const response = await signOutOtherDevices(user.id)
    if (response.ok) {
      list.current?.querySelector('li')?.focus()
      toast.success('Signed out all other devices')
      await reread()
    } else {
      showFailure('Failed to sign out the other devices', response)
    }
    setSigningOutOthers(false)
  }

  if (status === 'failed') {
    return (
      <div role="alert" className="mt-5 pt-4 shadow-[inset_0_1px_0_var(--line)]">
        <p className="font-medium text-control">Your signed-in devices couldn't be loaded.</p>
        {problem && <p className="text-control text-ink-2">{formatRequestProblem(problem)}</p>}
        <Button variant="secondary" onClick={() => void reread()} className="mt-4">
          Try again
        </Button>
      </div>
    )
  }
  return (
    <div aria-busy={status === 'loading' || undefined} className="mt-5 -mb-3">
      <ul ref={list} aria-label="Signed-in devices" className="[list-style-type:'']">
        {devices?.map((device) => (
          <DeviceRow key={device.id} device={device} readAt={readAt} onSignOut={() => signOut(device)} />
        )) ?? <SkeletonRow />}
      </ul>
      {devices && others.length === 0 && (
        <p className="pb-3 text-control text-ink-2">You're not signed in anywhere else.</p>
      )}
      {others.length > 0 && (
        <div className="flex justify-end py-3 shadow-[inset_0_1px_0_var(--line)]">
          <Button variant="secondary" busy={signingOutOthers} onClick={() => void signOutOthers()}>
            Sign out all other devices
          </Button>
        </div>
      )}
    </div>
  )
}

/** `token` is the token of the device's sign-in session. */
function signOutDevice(account: string, token: string): Promise<AuthResponse> {
  return post('/api/auth/revoke-session', { token }, account)
}

function signOutOtherDevices(account: string): Promise<AuthResponse> {
  return post('/api/auth/revoke-other-sessions', {}, account)
}

const rowClass = 'flex min-h-16 items-center gap-3 py-3 shadow-[inset_0_1px_0_var(--line)]'

interface DeviceRowProps {
  device: Device
  readAt: Instant
  onSignOut(): Promise<void>
}

function DeviceRow({ device, readAt, onSignOut }: DeviceRowProps) {
  const { timeZone } = useUserCalendar()
  const [signingOut, setSigningOut] = useState(false)
  const id = useId()
  const Icon = icons[device.kind]

  const signOut = async () => {
    setSigningOut(true)
    await onSignOut()
    setSigningOut(false)
  }

  return (
    <li
      data-row={device.id}
      tabIndex={-1}
      className={`${rowClass} outline-none focus-visible:rounded-control focus-visible:outline-2 focus-visible:outline-accent`}
    >
      <Icon size={18} className="shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 font-medium text-control wrap-anywhere">{device.name}</p>
        <p id={id} className="text-ink-3 text-small">
          {device.isThisOne ? 'This device' : formatLastUse(device.lastUse, { now: readAt, timeZone })}
        </p>
      </div>
      {!device.isThisOne && (
        <Button
          variant="quiet"
          busy={signingOut}
          onClick={() => void signOut()}
          aria-label={`Sign out ${device.name}`}
          // Two browsers may have the same name, so the row's text says which one this button signs out.
          aria-describedby={id}
          className="-mr-4"
        >
          Sign out
        </Button>
      )}
    </li>
  )
}

function SkeletonRow() {
  return (
    <li className={rowClass}>
      <span className="sr-only">Loading...</span>
      <span className="size-4.5 shrink-0 rounded-box bg-heat-0" />
      <span className="grid gap-2">
        <span className="block h-3.5 w-36 rounded-box bg-heat-0" />
        <span className="block h-2.5 w-24 rounded-box bg-heat-0" />
      </span>
    </li>
  )
}
