export interface ToastAction {
  label: string
  onClick(): void
}

export interface ToastOptions {
  /** A toast with the same id replaces this one. */
  id?: string
  description?: string
  /** Milliseconds that the toast is shown; the toaster's default when left out. */
  duration?: number
  action?: ToastAction
  /** A second, less prominent action. */
  otherAction?: ToastAction
  /** Called when the person has closed the toast without using an action. */
  onDismiss?(): void
}

export type ToastKind = 'plain' | 'success' | 'error' | 'warning'

/** The interface of the `Toaster`. */
export interface ToastRenderer {
  show(kind: ToastKind, title: string, options: ToastOptions): void
  dismiss(id: string): void
}

type PendingToast = (renderer: ToastRenderer) => void

let renderer: ToastRenderer | undefined
let pending: readonly PendingToast[] = []
const listeners = new Set<() => void>()

/** Shows a toast at the bottom right: `toast.error(title, { description, action: { label, onClick } })`. */
export function toast(title: string, options: ToastOptions = {}): void {
  render((renderer) => renderer.show('plain', title, options))
}

const kind = (name: ToastKind) => {
  return (title: string, options: ToastOptions = {}) =>
    render((renderer) => renderer.show(name, title, options))
}

toast.success = kind('success')
toast.error = kind('error')
toast.warning = kind('warning')
toast.dismiss = (id: string) => render((renderer) => renderer.dismiss(id))

/** Renders a toast, now or once the `Toaster` has loaded. */
function render(pendingToast: PendingToast): void {
  if (renderer) {
    pendingToast(renderer)
    return
  }
  pending = [...pending, pendingToast]
  for (const listener of listeners) listener()
}

/** Whether toasts are waiting for the `Toaster` to load. */
export const pendingToasts = {
  any: (): boolean => pending.length > 0,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Called by the `Toaster` once it has loaded. */
export function attachToaster(toaster: ToastRenderer): void {
  renderer = toaster
  const queued = pending
  pending = []
  for (const pendingToast of queued) pendingToast(toaster)
  for (const listener of listeners) listener()
}
