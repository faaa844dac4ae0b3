import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { unsubscribeFromPushes } from '#platform/browser/notifications.ts'
import { useStoredChoice } from '#platform/browser/stored-choice.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useDeviceValue } from '#platform/sync/react/use-device-value.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { toast } from '#platform/ui/overlays/toast.ts'
import {
  type PushPermission,
  pushPermission,
  requestPushPermission,
  watchPushPermission,
} from './push-permission.ts'
import { consentOf, needsRegistration, registeredDevice } from './registered-device.ts'
import type { ReminderBarProps } from './reminder-bar.tsx'
import { remindersKey } from './reminders-key.ts'
import { readTabMessage } from './tab-message.ts'

interface ThisDevice {
  permission: PushPermission
  /** Its id among the devices that are pushed to; undefined if it is none of them. */
  id: string | undefined
  /** Whether the person is asked about reminders here as soon as they set one. */
  asksSoon: boolean
  /**
   * Asks the browser if necessary, and registers this device for pushes. Resolves to true on success; otherwise it has
   * shown the reason.
   */
  allow(): Promise<boolean>
  /** Ends pushes to this device. Resolves to true on success; otherwise it has shown the reason. */
  leave(): Promise<boolean>
}

interface RemindersProviderProps {
  /** The id of the sign-in session; undefined until the server has answered. */
  signIn: string | undefined
  children: ReactNode
}

/**
 * Keeps this device registered for reminders, asks for permission when the first one is set (`ReminderQuestion`), and follows
 * presses on notifications. Needs a SyncProvider around it.
 */
export function RemindersProvider({ signIn, children }: RemindersProviderProps) {
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
  const register = useCallback(async (): Promise<string | undefined> => {
    if (signIn === undefined) return unreachable
    const registering = await fetchRegistering()
    if (!registering) return unreachable
    const result = await registering.registerDevice(account, registered)
    if ('problem' in result) return result.problem
    await change(() => ({ value: { ...result.value, signIn } }))
    await queryClient.invalidateQueries({ queryKey: remindersKey(account) })
    return undefined
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
  const device: ThisDevice = useMemo(
    () => ({
      permission,
      id,
      asksSoon: mayAsk && askable,
      async allow() {
        consentChoice.write('wanted')
        allowing.current = true
        try {
          if (pushPermission() === 'undecided') await requestPushPermission()
          if (pushPermission() !== 'allowed') return false
          return showProblem(await register())
        } finally {
          allowing.current = false
        }
      },
      async leave() {
        if (registered) {
          const calls = await fetchCalls()
          const removed = await calls?.removeDevice(account, registered.id)
          if (!removed || 'problem' in removed) return showProblem(removed?.problem ?? unreachable)
        }
        consentChoice.write('declined')
        await change(() => ({ value: null }))
        await unsubscribeFromPushes().catch((error) =>
          console.warn('The browser could not be unsubscribed', error),
        )
        return true
      },
    }),
    [account, permission, id, askable, mayAsk, consentChoice, registered, register, change],
  )

  const reminderSet = useCallback(() => {
    if (!mayAsk) return
    // If the browser has been asked before, for an earlier reminder or the focus timer, it is not asked again.
    if (permission === 'allowed') return void device.allow()
    // The question stands until it is answered, and never comes again: from now on the settings explain how.
    consentChoice.write('asked')
    setAsking(true)
  }, [device, permission, mayAsk, consentChoice])

  const question: ReminderBarProps | undefined = useMemo(() => {
    if (!asking || id !== undefined) return undefined
    return {
      permission,
      async onAllow() {
        if (!(await device.allow())) return
        setAsking(false)
        toast.success('Reminders are on for this device')
      },
      onDecline() {
        // Whoever sees what prevents reminders, and removes it, gets them.
        consentChoice.write(askable ? 'declined' : 'wanted')
        setAsking(false)
      },
    }
  }, [asking, id, permission, device, askable, consentChoice])
  return (
    <ThisDeviceContext value={device}>
      <ReminderSetContext value={reminderSet}>
        <ReminderQuestionContext value={question}>{children}</ReminderQuestionContext>
      </ReminderSetContext>
    </ThisDeviceContext>
  )
}

/** Asks whether reminders may ring on this device, once the first one was set. Stands where a screen puts it. */
export function ReminderQuestion() {
  const question = useContext(ReminderQuestionContext)
  const ReminderBar = usePart(LazyReminderBar, question !== undefined)
  return ReminderBar && question && <ReminderBar {...question} />
}

const unreachable = "The server can't be reached."

// What talks to the server and the push service is fetched when it is needed: undefined if it can't be.
const fetchRegistering = () => import('./register-device.ts').catch(() => undefined)
const fetchCalls = () => import('./reminder-calls.ts').catch(() => undefined)

const LazyReminderBar = lazyPart(() => import('./reminder-bar.tsx'), 'ReminderBar', 'after the screen')

export function useThisDevice(): ThisDevice {
  const device = useContext(ThisDeviceContext)
  if (!device) throw new Error('This device needs a RemindersProvider around it')
  return device
}

/** Call when the person has asked to be reminded of something. */
export function useReminderSet(): () => void {
  return useContext(ReminderSetContext)
}

const ThisDeviceContext = createContext<ThisDevice | undefined>(undefined)
const ReminderSetContext = createContext(() => {})
const ReminderQuestionContext = createContext<ReminderBarProps | undefined>(undefined)

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

/** Returns whether there was no problem; shows one. */
function showProblem(problem: string | undefined): boolean {
  if (problem === undefined) return true
  toast.error('Failed to change reminders on this device', { description: problem })
  return false
}
