import { createContext, type ReactNode, useContext } from 'react'

/** A list that is about to be made. */
export interface ListToMake {
  id: string
  /** Makes it. What else is written in the same turn of the event loop is undone with it. */
  make(): Promise<boolean>
}

/** What the screens use of features that are not theirs. */
export interface ScreenServices {
  /** Gets a list of that name ready. */
  makeList(name: string): Promise<ListToMake>
  /** To be called when the person has set a reminder. */
  onReminderSet(): void
  /** Stands where reminders are set: how they will reach the person. */
  pushPermissionNote: ReactNode
  /** Asks, once the first reminder was set, whether reminders may ring on this device. */
  reminderQuestion: ReactNode
}

/** Provided once, around all signed-in screens. */
export const ScreenServicesContext = createContext<ScreenServices | undefined>(undefined)

/** The same object until another account signs in. */
export function useScreenServices(): ScreenServices {
  const services = useContext(ScreenServicesContext)
  if (!services) throw new Error('No screen services')
  return services
}
