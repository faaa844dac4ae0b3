import { createContext, type ReactNode, useContext } from 'react'

/** A list that is about to be created. */
export interface ListToMake {
  id: string
  /** Creates the list. Undoing it also undoes everything else written in the same turn of the event loop. */
  make(): Promise<boolean>
}

/** Services of other features that the screens use. */
export interface ScreenServices {
  /** Prepares a list with the given name. */
  makeList(name: string): Promise<ListToMake>
  /** Call when the person has set a reminder. */
  onReminderSet(): void
  /** Shown where reminders are set: how they will reach the person. */
  pushPermissionNote: ReactNode
  /** Asks after the first reminder was set whether reminders may ring on this device. */
  reminderQuestion: ReactNode
}

/** Provided once, around all signed-in screens. */
export const ScreenServicesContext = createContext<ScreenServices | undefined>(undefined)

/** The services; the same object until another account signs in. */
export function useScreenServices(): ScreenServices {
  const services = useContext(ScreenServicesContext)
  if (!services) throw new Error('No screen services')
  return services
}
