import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { DeviceRemindersProps, ThisDevice } from './device-reminders.tsx'

interface RemindersProviderProps {
  /** The id of the sign-in session; undefined until the server has responded. */
  signIn: string | undefined
  /** Call `onReminderSet` when the person has set a reminder. It is the same function on every render. */
  children(onReminderSet: () => void): ReactNode
}

/** Provides what screens need for reminders on this device; `DeviceReminders` does the work. Must be inside a SyncProvider. */
export function RemindersProvider({ signIn, children }: RemindersProviderProps) {
  const [device, setDevice] = useState<ThisDevice>()
  const [remindersSet, setRemindersSet] = useState(0)
  const reminderSet = useCallback(() => setRemindersSet((count) => count + 1), [])
  return (
    <ThisDeviceContext value={device}>
      {/* Comes before the screens: it says that the part can wait, and a screen that needs it now overrides that. */}
      <LateDeviceReminders signIn={signIn} remindersSet={remindersSet} onChange={setDevice} />
      {children(reminderSet)}
    </ThisDeviceContext>
  )
}

/**
 * Loads `DeviceReminders` after the screen. If a reminder is set before, the person is asked about it once the code is loaded.
 */
function LateDeviceReminders(props: DeviceRemindersProps) {
  const DeviceReminders = usePart(LazyDeviceReminders, props.remindersSet > 0)
  return DeviceReminders && <DeviceReminders {...props} />
}

const LazyDeviceReminders = lazyPart(
  () => import('./device-reminders.tsx'),
  'DeviceReminders',
  'with the screen',
)

/**
 * Asks whether reminders may ring on this device, after the first reminder was set. Screens decide where the question appears.
 */
export function ReminderQuestion() {
  return useContext(ThisDeviceContext)?.question
}

/** Undefined until the code that knows this device is loaded. */
export function useThisDevice(): ThisDevice | undefined {
  useEffect(() => LazyDeviceReminders.want(true), [])
  return useContext(ThisDeviceContext)
}

const ThisDeviceContext = createContext<ThisDevice | undefined>(undefined)
