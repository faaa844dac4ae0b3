import { useEffect } from 'react'

const lockName = 'daymark-in-use'

/** Whether this tab is visible and has the focus. */
export function isInFront(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus()
}

/** Whether this tab or another tab of this browser is visible and has the focus. */
export async function isInUse(): Promise<boolean> {
  if (isInFront()) return true
  // Plain http has no locks, so there each tab knows only about itself.
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.some(({ name }) => name === lockName)
}

/** Calls `onChange` whenever `isInFront` may have changed. Returns an unsubscribe function. */
export function watchInFront(onChange: () => void): () => void {
  window.addEventListener('focus', onChange)
  window.addEventListener('blur', onChange)
  document.addEventListener('visibilitychange', onChange)
  return () => {
    window.removeEventListener('focus', onChange)
    window.removeEventListener('blur', onChange)
    document.removeEventListener('visibilitychange', onChange)
  }
}

/** Holds a lock while this tab is visible and has the focus, so that other tabs know. */
export function useInUseLock(): void {
  useEffect(() => {
    if (!navigator.locks) return
    let release: (() => void) | undefined
    const update = () => {
      if (!isInFront()) {
        release?.()
        release = undefined
        return
      }
      if (release) return
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      void navigator.locks.request(lockName, { mode: 'shared' }, () => held)
    }
    update()
    const stop = watchInFront(update)
    return () => {
      stop()
      release?.()
    }
  }, [])
}
