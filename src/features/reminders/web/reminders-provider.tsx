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
import { useSync } from '#platform/sync/sync-context.ts'
import { useKept } from '#platform/sync/use-kept.ts'
import { later } from '#platform/ui/later.ts'
import { unsubscribeFromPushes } from '#platform/ui/notifications.ts'
import { useStoredChoice } from '#platform/ui/stored-choice.ts'
import { toast } from '#platform/ui/toast.ts'
import { hasToJoin, keptJoined, wishOf } from './joined-device.ts'
import { putDevice, readReminders, removeDevice } from './reminder-calls.ts'
import {
  askBrowser,
  existingSubscription,
  type Reach,
  reachOfThisBrowser,
  subscribe,
  watchReach,
} from './this-browser.ts'
import { remindersKey } from './use-reminders.ts'
import { readWord } from './word-to-tabs.ts'

interface ThisDevice {
  reach: Reach
  /** Its id among the devices that are pushed to; undefined where it is none of them. */
  id: string | undefined
  /** Whether the person is asked to be reminded here as soon as they set a reminder. */
  asksSoon: boolean
  /** Asks the browser where it was not asked yet, and has this device pushed to. True once that is so; else it was told why not. */
  allow(): Promise<boolean>
  /** Has it pushed to no more. True once that is so; else it was told why not. */
  leave(): Promise<boolean>
}

interface RemindersProviderProps {
  /** The id of the sign-in session; undefined while the server has not said. */
  signIn: string | undefined
  children: ReactNode
}

/**
 * Keeps the way of reminders to this device open, asks for it when the first one is set, and follows what is pressed on
 * them. Stands within the SyncProvider.
 */
export function RemindersProvider({ signIn, children }: RemindersProviderProps) {
  const { account } = useSync()
  const queryClient = useQueryClient()
  const reach = useSyncExternalStore(watchReach, reachOfThisBrowser)
  const wishChoice = useMemo(() => wishOf(account), [account])
  const wish = useStoredChoice(wishChoice)
  const { value: joined, change } = useKept(keptJoined)
  const [asking, setAsking] = useState(false)
  const [putAside, setPutAside] = useState(false)
  const allowing = useRef(false)
  useFollowWorker()

  /** Answers what stood in the way, if anything did. */
  const join = useCallback(async (): Promise<string | undefined> => {
    if (signIn === undefined) return "The server can't be reached."
    const reminders = await readReminders(account)
    if ('problem' in reminders) return reminders.problem
    try {
      // Whom the push service does not know any more, the server forgets: the same subscription would be as dead.
      if (joined && !reminders.value.devices.some(({ id }) => id === joined.id)) await unsubscribeFromPushes()
      const subscription = await subscribe(reminders.value.public_key)
      const device = await putDevice(account, subscription)
      if ('problem' in device) return device.problem
      const { endpoint } = subscription
      await change(() => ({ value: { id: device.value.id, endpoint, signIn } }))
      await queryClient.invalidateQueries({ queryKey: remindersKey(account) })
      return undefined
    } catch (refusal) {
      console.warn('This browser could not be subscribed to pushes', refusal)
      return 'This browser or its push service refused the request.'
    }
  }, [account, signIn, joined, change, queryClient])

  const rejoin = useEffectEvent(async (signIn: string, reach: Reach) => {
    if (joined === undefined || reach !== 'allowed' || allowing.current) return
    const subscription = await existingSubscription().catch(() => undefined)
    if (hasToJoin({ reach, wish, joined, subscription, signIn })) await join()
  })
  const known = joined !== undefined
  useEffect(() => {
    // What was blocked in the browser and is allowed there now is a reason to join too.
    if (known && signIn !== undefined) void rejoin(signIn, reach)
  }, [known, signIn, reach])

  const askable = reach === 'undecided' || reach === 'allowed'
  const id = reach === 'allowed' ? joined?.id : undefined
  const device: ThisDevice = useMemo(
    () => ({
      reach,
      id,
      asksSoon: id === undefined && askable && wish !== 'declined' && !putAside,
      async allow() {
        wishChoice.write('wanted')
        allowing.current = true
        try {
          if (reachOfThisBrowser() === 'undecided') await askBrowser()
          if (reachOfThisBrowser() !== 'allowed') return false
          return told(await join())
        } finally {
          allowing.current = false
        }
      },
      async leave() {
        if (joined) {
          const removed = await removeDevice(account, joined.id)
          if ('problem' in removed) return told(removed.problem)
        }
        wishChoice.write('declined')
        await change(() => ({ value: null }))
        await unsubscribeFromPushes().catch((refusal) =>
          console.warn('The browser could not be unsubscribed', refusal),
        )
        return true
      },
    }),
    [account, reach, id, askable, wish, putAside, wishChoice, joined, join, change],
  )

  const reminderSet = useCallback(() => {
    // A browser that was asked already, for an earlier reminder or the focus timer, is not asked again.
    if (device.asksSoon && reach === 'allowed') void device.allow()
    // What stands in the way is said once.
    else if (device.asksSoon || (!askable && wish === 'open')) setAsking(true)
  }, [device, reach, askable, wish])

  const AllowDialog = useAllowDialog(asking)
  return (
    <ThisDeviceContext value={device}>
      <ReminderSetContext value={reminderSet}>{children}</ReminderSetContext>
      {AllowDialog && (
        <AllowDialog
          open={asking && device.id === undefined}
          reach={reach}
          onAllow={async () => {
            if (!(await device.allow())) return
            setAsking(false)
            toast.success('Reminders are on for this device')
          }}
          onDecline={() => {
            // Once is enough: the settings say how, from now on.
            wishChoice.write('declined')
            setAsking(false)
          }}
          onClose={() => {
            if (askable) setPutAside(true)
            // Who is shown what stands in the way, and takes it away, is reminded.
            else wishChoice.write('wanted')
            setAsking(false)
          }}
        />
      )}
    </ThisDeviceContext>
  )
}

const useAllowDialog = later(async () => (await import('./allow-dialog.tsx')).AllowDialog)

export function useThisDevice(): ThisDevice {
  const device = useContext(ThisDeviceContext)
  if (!device) throw new Error('This device needs a RemindersProvider around it')
  return device
}

/** To be called when the person has asked to be reminded of something. */
export function useReminderSet(): () => void {
  return useContext(ReminderSetContext)
}

const ThisDeviceContext = createContext<ThisDevice | undefined>(undefined)
const ReminderSetContext = createContext(() => {})

/** Does what the service worker says: it knows nothing of the screens. */
function useFollowWorker() {
  const sync = useSync()
  const navigate = useNavigate()
  const follow = useEffectEvent(({ data }: MessageEvent) => {
    const word = readWord(data)
    if (word?.daymark === 'changed' && word.user === sync.account) void sync.reread()
    if (word?.daymark === 'open') void navigate({ to: word.url })
  })
  useEffect(() => {
    // Over plain http there is none.
    const { serviceWorker } = navigator
    if (!serviceWorker) return
    const hear = (event: MessageEvent) => follow(event)
    serviceWorker.addEventListener('message', hear)
    return () => serviceWorker.removeEventListener('message', hear)
  }, [])
}

/** Whether there was no problem; one is told. */
function told(problem: string | undefined): boolean {
  if (problem === undefined) return true
  toast.error('Failed to change reminders on this device', { description: problem })
  return false
}
