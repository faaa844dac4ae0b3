import type { ExternalToast, toast as Shown } from 'sonner'

type Say = (shown: typeof Shown) => void

let shown: typeof Shown | undefined
let waiting: readonly Say[] = []
const listeners = new Set<() => void>()

/** Tells at the bottom right: `toast.error(title, { description, action: { label, onClick } })`. */
export function toast(title: string, options?: ExternalToast): void {
  tell((shown) => shown(title, options))
}

toast.success = (title: string, options?: ExternalToast) => tell((shown) => shown.success(title, options))
toast.error = (title: string, options?: ExternalToast) => tell((shown) => shown.error(title, options))
toast.warning = (title: string, options?: ExternalToast) => tell((shown) => shown.warning(title, options))
toast.dismiss = (id: string) => tell((shown) => shown.dismiss(id))

/** What is told before the `Toaster` is there waits for it. */
function tell(say: Say): void {
  if (shown) {
    say(shown)
    return
  }
  waiting = [...waiting, say]
  for (const listener of listeners) listener()
}

/** Whether there is something to tell, and nothing yet that shows it. */
export const untold = {
  any: (): boolean => waiting.length > 0,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** For the `Toaster`, once it is there. */
export function showToastsBy(toaster: typeof Shown): void {
  shown = toaster
  const told = waiting
  waiting = []
  for (const say of told) say(toaster)
  for (const listener of listeners) listener()
}
