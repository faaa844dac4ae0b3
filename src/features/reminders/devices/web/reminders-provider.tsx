import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { DeviceRemindersProps, ThisDevice } from './device-reminders.tsx'

interface RemindersProviderProps {
  /** The id of the sign-in session; undefined until the server has answered. */
  signIn: string | undefined
  /** `onReminderSet`: to be called when the person has set a reminder. The same function each time. */
  children(onReminderSet: () => void): ReactNode
}

/** What screens need for reminders on this device. `DeviceReminders` does the work. Needs a SyncProvider around it. */
export function RemindersProvider({ signIn, children }: RemindersProviderProps) {
  const [device, setDevice] = useState<ThisDevice>()
  const [remindersSet, setRemindersSet] = useState(0)
  const reminderSet = useCallback(() => setRemindersSet((count) => count + 1), [])
  return (
    <ThisDeviceContext value={device}>
      {/* Before the screens: one that cannot do without the part says so after this has said that it can wait. */}
      <LateDeviceReminders signIn={signIn} remindersSet={remindersSet} onChange={setDevice} />
      {children(reminderSet)}
    </ThisDeviceContext>
  )
}

/** A reminder that is set before the part has been fetched is asked about as soon as it is. */
function LateDeviceReminders(props: DeviceRemindersProps) {
  const DeviceReminders = usePart(LazyDeviceReminders, props.remindersSet > 0)
  return DeviceReminders && <DeviceReminders {...props} />
}

const LazyDeviceReminders = lazyPart(
  () => import('./device-reminders.tsx'),
  'DeviceReminders',
  'with the screen',
)

/** Asks whether reminders may ring on this device, once the first one was set. Stands where a screen puts it. */
export function ReminderQuestion() {
  return useContext(ThisDeviceContext)?.question
}

/** Undefined until what knows this device has been fetched. */
export function useThisDevice(): ThisDevice | undefined {
  useEffect(() => LazyDeviceReminders.want(true), [])
  return useContext(ThisDeviceContext)
}

const ThisDeviceContext = createContext<ThisDevice | undefined>(undefined)
