export interface ToastAction {
  label: string
  onClick(): void
}

export interface ToastOptions {
  /** Another one of the same id takes its place. */
  id?: string
  description?: string
  /** Milliseconds; usually the toaster's own. */
  duration?: number
  action?: ToastAction
  /** Beside the action, quieter. */
  otherAction?: ToastAction
  /** The person has put it away, unanswered. */
  onDismiss?(): void
}

export type ToastKind = 'plain' | 'success' | 'error' | 'warning'

/** What a `Toaster` can do. */
export interface Shows {
  show(kind: ToastKind, title: string, options: ToastOptions): void
  dismiss(id: string): void
}

type Say = (shown: Shows) => void

let shown: Shows | undefined
let waiting: readonly Say[] = []
const listeners = new Set<() => void>()

/** Tells at the bottom right: `toast.error(title, { description, action: { label, onClick } })`. */
export function toast(title: string, options: ToastOptions = {}): void {
  tell((shown) => shown.show('plain', title, options))
}

const kind = (name: ToastKind) => {
  return (title: string, options: ToastOptions = {}) => tell((shown) => shown.show(name, title, options))
}

toast.success = kind('success')
toast.error = kind('error')
toast.warning = kind('warning')
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
export function showToastsBy(toaster: Shows): void {
  shown = toaster
  const told = waiting
  waiting = []
  for (const say of told) say(toaster)
  for (const listener of listeners) listener()
}
