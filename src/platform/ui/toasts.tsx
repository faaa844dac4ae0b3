import { useSyncExternalStore } from 'react'
import { later } from './later.ts'
import { untold } from './toast.ts'

/** Once in the app: the `Toaster`, from the first toast on. */
export function Toasts() {
  const Toaster = useToaster(useSyncExternalStore(untold.subscribe, untold.any))
  return Toaster && <Toaster />
}

const useToaster = later(async () => (await import('./toaster.tsx')).Toaster)
