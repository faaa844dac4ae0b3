import { useEffect } from 'react'
import { allowChime } from './chime.ts'

/** Browsers let a page sound only after a press in it: after a reload, any will do, long before the end. */
export function useArmedChime(running: boolean): void {
  useEffect(() => {
    if (!running) return
    const armed = new AbortController()
    const arm = () => {
      armed.abort()
      allowChime()
    }
    window.addEventListener('pointerdown', arm, { signal: armed.signal })
    window.addEventListener('keydown', arm, { signal: armed.signal })
    return () => armed.abort()
  }, [running])
}
