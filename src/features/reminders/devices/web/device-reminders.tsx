import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { readTabMessage } from '#features/reminders/service-worker/tab-message.ts'
import { unsubscribeFromPushes } from '#platform/browser/device/notifications.ts'
import { useStoredChoice } from '#platform/browser/device/stored-choice.ts'
import { formatRequestProblem, problemWithoutResponse } from '#platform/sync/network/request-problem.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useDeviceValue } from '#platform/sync/react/use-device-value.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import {
  type PushPermission,
  pushPermission,
  requestPushPermission,
  watchPushPermission,
} from './push-permission.ts'
import { consentOf, needsRegistration, registeredDevice } from './registered-device.ts'
import { remindersKey } from './reminders-key.ts'

export interface DeviceRemindersProps {
  /** The id of the sign-in session; undefined until the server has responded. */
  signIn: string | undefined
  /** How many reminders the person has set on this page. When it increases, they may be asked about reminders on this device. */
  remindersSet: number
  onChange(device: ThisDevice): void
}

export interface ThisDevice {
  permission: PushPermission
  /** The device's id on the server; undefined if it does not receive pushes. */
  id: string | undefined
  /** Whether the person will be asked about reminders here as soon as they set one. */
  asksSoon: boolean
  /** The question that the person is being asked now, if any. */
  question: ReactNode
  /**
   * Asks the browser for permission if necessary, and registers this device for pushes. Resolves to true on success. On failure,
   * the reason has been shown, except if the server sends no pushes: screens that offer reminders already say so.
   */
  allow(): Promise<boolean>
  /** Ends pushes to this device. Resolves to true on success; on failure, the reason has been shown. */
  leave(): Promise<boolean>
}

/**
 * Keeps this device registered for reminders, asks about them when the first one is set, and reacts to presses on notifications.
 * Draws nothing.
 */
export function DeviceReminders({ signIn, remindersSet, onChange }: DeviceRemindersProps) {
  const { account } = useSync()
  const queryClient = useQueryClient()
  const permission = useSyncExternalStore(watchPushPermission, pushPermission)
  const consentChoice = useMemo(() => consentOf(account), [account])
  const consent = useStoredChoice(consentChoice)
  const { value: registered, change } = useDeviceValue(registeredDevice)
  const [asking, setAsking] = useState(false)
  const allowing = useRef(false)
  useFollowWorker()

  /** Returns what prevented the registration; undefined if it succeeded. */
  const register = useCallback(async (): Promise<Prevented | undefined> => {
    if (signIn === undefined) return withoutResponse()
    const registering = await fetchRegistering()
    if (!registering) return withoutResponse()
    const result = await registering.registerDevice(account, registered)
    if (result !== 'off' && 'problem' in result) return result
    if (result !== 'off') await change(() => ({ value: { ...result.value, signIn } }))
    await queryClient.invalidateQueries({ queryKey: remindersKey(account) })
    return result === 'off' ? result : undefined
  }, [account, signIn, registered, change, queryClient])

  const registerAgain = useEffectEvent(async (signIn: string, permission: PushPermission) => {
    if (registered === undefined || permission !== 'allowed' || allowing.current) return
    const registering = await fetchRegistering()
    if (!registering) return
    const subscription = await registering.existingSubscription().catch(() => undefined)
    if (needsRegistration({ permission, consent, registered, subscription, signIn })) await register()
  })
  const isLoaded = registered !== undefined
  useEffect(() => {
    // Runs again when the permission changes, because the person may have unblocked notifications in the browser.
    if (isLoaded && signIn !== undefined) void registerAgain(signIn, permission)
  }, [isLoaded, signIn, permission])

  const askable = permission === 'undecided' || permission === 'allowed'
  const id = permission === 'allowed' ? registered?.id : undefined
  const mayAsk = id === undefined && (consent === 'open' || consent === 'wanted')
  const ReminderBar = usePart(LazyReminderBar, asking)
  const device: ThisDevice = useMemo(() => {
    const allow = async () => {
      consentChoice.write('wanted')
      allowing.current = true
      try {
        if (pushPermission() === 'undecided') await requestPushPermission()
        if (pushPermission() !== 'allowed') return false
        return showProblem(await register())
      } finally {
        allowing.current = false
      }
    }
    const leave = async () => {
      if (registered) {
        const calls = await fetchCalls()
        const removed = await calls?.removeDevice(account, registered.id)
        if (!removed || 'problem' in removed) return showProblem(removed ?? withoutResponse())
      }
      consentChoice.write('declined')
      await change(() => ({ value: null }))
      await unsubscribeFromPushes().catch((error) =>
        console.warn('The browser could not be unsubscribed', error),
      )
      return true
    }
    const onAllow = async () => {
      if (!(await allow())) return
      setAsking(false)
      toast.success('Reminders are on for this device')
    }
    const onDecline = () => {
      // If something prevents reminders, closing the bar is not a refusal: once the obstacle is gone, this device gets them.
      consentChoice.write(askable ? 'declined' : 'wanted')
      setAsking(false)
    }
    const isAsked = asking && id === undefined
    const question = isAsked && ReminderBar && (
      <ReminderBar permission={permission} onAllow={onAllow} onDecline={onDecline} />
    )
    return { permission, id, asksSoon: mayAsk && askable, question, allow, leave }
  }, [
    account,
    permission,
    id,
    askable,
    mayAsk,
    asking,
    ReminderBar,
    consentChoice,
    registered,
    register,
    change,
  ])
  useEffect(() => onChange(device), [device, onChange])

  const askAboutReminder = useEffectEvent(() => {
    if (!mayAsk) return
    // If the browser already has the permission, from an earlier reminder or the focus timer, register without asking.
    if (permission === 'allowed') return void device.allow()
    // The question stays until it is answered and is asked only once. After that, the settings page explains how to turn on
    // reminders.
    consentChoice.write('asked')
    setAsking(true)
  })
  useEffect(() => {
    if (remindersSet > 0) askAboutReminder()
  }, [remindersSet])

  return null
}

const LazyReminderBar = lazyPart(() => import('./reminder-bar.tsx'), 'ReminderBar', 'after the screen')

type Prevented = 'off' | { problem: string }

const withoutResponse = () => ({ problem: formatRequestProblem(problemWithoutResponse()) })

// The code that talks to the server and the push service is loaded when it is needed; undefined if loading fails.
const fetchRegistering = () => import('./register-device.ts').catch(() => undefined)
const fetchCalls = () => import('./reminder-calls.ts').catch(() => undefined)

/** Reacts to messages from the service worker, which knows nothing about the screens. */
function useFollowWorker() {
  const sync = useSync()
  const navigate = useNavigate()
  const follow = useEffectEvent(({ data }: MessageEvent) => {
    const message = readTabMessage(data)
    if (message?.daymark === 'changed' && message.user === sync.account) void sync.reread()
    if (message?.daymark === 'open') void navigate({ to: message.url })
  })
  useEffect(() => {
    // Service workers do not exist over plain http.
    const { serviceWorker } = navigator
    if (!serviceWorker) return
    const onMessage = (event: MessageEvent) => follow(event)
    serviceWorker.addEventListener('message', onMessage)
    return () => serviceWorker.removeEventListener('message', onMessage)
  }, [])
}

/** Shows what prevented the change, if anything did. Returns whether it succeeded. */
function showProblem(prevented: Prevented | undefined): boolean {
  if (prevented === undefined) return true
  if (prevented !== 'off')
    toast.error('Failed to change reminders on this device', { description: prevented.problem })
  return false
}
