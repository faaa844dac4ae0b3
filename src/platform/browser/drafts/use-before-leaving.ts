import { useEffect, useLayoutEffect, useRef } from 'react'

/** Calls `save` before typed text could be lost: when the component unmounts, or the page is left or hidden. */
export function useBeforeLeaving(save: () => void): void {
  const latest = useRef(save)
  useLayoutEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const leave = () => latest.current()
    // A hidden page may never be shown again. Where there is no 'beforeunload', as on an iPhone, a page becomes hidden only
    // after 'pagehide'; the account's sync still saves what is written then.
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
