import { useEffect, useLayoutEffect, useRef } from 'react'

/** Calls `save` before typed text could be lost: when the component unmounts, or the page is left or hidden. */
export function useBeforeLeaving(save: () => void): void {
  const latest = useRef(save)
  useLayoutEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const leave = () => latest.current()
    // A hidden page may never be shown again. 'pagehide' would be too late: by then, an earlier listener has already taken care
    // of all writes that are not stored yet.
    const hide = () => document.visibilityState === 'hidden' && leave()
    document.addEventListener('visibilitychange', hide)
    window.addEventListener('beforeunload', leave)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      window.removeEventListener('beforeunload', leave)
      leave()
    }
  }, [])
}
