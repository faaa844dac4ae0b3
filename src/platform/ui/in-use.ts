import { useEffect } from 'react'

const lockName = 'daymark-in-use'

/** Whether the person has this tab in front of them. */
export function isInFront(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus()
}

/** Whether the person has this tab, or another of the same browser, in front of them. */
export async function isInUse(): Promise<boolean> {
  if (isInFront()) return true
  // Plain http has no locks: there each tab only knows of itself.
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.some(({ name }) => name === lockName)
}

/** Calls `look` whenever that may have changed. Answers the way to stop. */
export function watchInFront(look: () => void): () => void {
  window.addEventListener('focus', look)
  window.addEventListener('blur', look)
  document.addEventListener('visibilitychange', look)
  return () => {
    window.removeEventListener('focus', look)
    window.removeEventListener('blur', look)
    document.removeEventListener('visibilitychange', look)
  }
}

/** Lets the other tabs know while the person has this one in front of them. */
export function useHoldWhileInUse(): void {
  useEffect(() => {
    if (!navigator.locks) return
    let letGo: (() => void) | undefined
    const follow = () => {
      if (!isInFront()) {
        letGo?.()
        letGo = undefined
        return
      }
      if (letGo) return
      const held = new Promise<void>((resolve) => {
        letGo = resolve
      })
      void navigator.locks.request(lockName, { mode: 'shared' }, () => held)
    }
    follow()
    const stop = watchInFront(follow)
    return () => {
      stop()
      letGo?.()
    }
  }, [])
}
