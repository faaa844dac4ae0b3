import { useEffect, useLayoutEffect, useRef } from 'react'

/** Calls `save` before what is typed could be lost: when the component goes away, or the page is left or hidden. */
export function useBeforeLeaving(save: () => void): void {
  const latest = useRef(save)
  useLayoutEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const leave = () => latest.current()
    // A page that is hidden may never be shown again. At 'pagehide' it would be too late: what is not stored by then is kept by
    // a listener that came before this one.
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
