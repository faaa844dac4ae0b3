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
  /** The id of the sign-in session; undefined until the server has answered. */
  signIn: string | undefined
  /** How many reminders the person has set on this page: with each more, they may be asked about this device. */
  remindersSet: number
  onChange(device: ThisDevice): void
}

export interface ThisDevice {
  permission: PushPermission
  /** Its id among the devices that are pushed to; undefined if it is none of them. */
  id: string | undefined
  /** Whether the person is asked about reminders here as soon as they set one. */
  asksSoon: boolean
  /** What they are asked now, if anything. */
  question: ReactNode
  /**
   * Asks the browser if necessary, and registers this device for pushes. Resolves to true on success; otherwise it has
   * shown the reason, unless that is the server's, which every place that offers reminders says by itself.
   */
  allow(): Promise<boolean>
  /** Ends pushes to this device. Resolves to true on success; otherwise it has shown the reason. */
  leave(): Promise<boolean>
}

/**
 * Keeps this device registered for reminders, asks for permission when the first one is set, and follows presses on
 * notifications. Draws nothing.
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

  /** Returns what prevented it, if anything did. */
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
    // Unblocking notifications in the browser is a reason to register, too.
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
      // Whoever sees what prevents reminders, and removes it, gets them.
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
    // If the browser has been asked before, for an earlier reminder or the focus timer, it is not asked again.
    if (permission === 'allowed') return void device.allow()
    // The question stands until it is answered, and never comes again: from now on the settings explain how.
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

// What talks to the server and the push service is fetched when it is needed: undefined if it can't be.
const fetchRegistering = () => import('./register-device.ts').catch(() => undefined)
const fetchCalls = () => import('./reminder-calls.ts').catch(() => undefined)

/** Does what the service worker asks for, which knows nothing of the screens. */
function useFollowWorker() {
  const sync = useSync()
  const navigate = useNavigate()
  const follow = useEffectEvent(({ data }: MessageEvent) => {
    const message = readTabMessage(data)
    if (message?.daymark === 'changed' && message.user === sync.account) void sync.reread()
    if (message?.daymark === 'open') void navigate({ to: message.url })
  })
  useEffect(() => {
    // There is none over plain http.
    const { serviceWorker } = navigator
    if (!serviceWorker) return
    const onMessage = (event: MessageEvent) => follow(event)
    serviceWorker.addEventListener('message', onMessage)
    return () => serviceWorker.removeEventListener('message', onMessage)
  }, [])
}

/** Returns whether nothing prevented it; shows a problem. */
function showProblem(prevented: Prevented | undefined): boolean {
  if (prevented === undefined) return true
  if (prevented !== 'off')
    toast.error('Failed to change reminders on this device', { description: prevented.problem })
  return false
}
