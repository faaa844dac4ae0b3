import { useSyncExternalStore } from 'react'
import { lazyPart, usePart } from '../lazy-part.tsx'
import { pendingToasts } from './toast.ts'

/** Mount once in the app. Loads the `Toaster` with the first toast. */
export function Toasts() {
  const Toaster = usePart(LazyToaster, useSyncExternalStore(pendingToasts.subscribe, pendingToasts.any))
  return Toaster && <Toaster />
}

const LazyToaster = lazyPart(() => import('./toaster.tsx'), 'Toaster', 'after the screen')
