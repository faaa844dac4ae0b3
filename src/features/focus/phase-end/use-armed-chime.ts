import { useEffect } from 'react'
import { allowSound } from '../timer/web/allowed-sound.ts'

/**
 * Browsers let a page make a sound only after a press in it. After a reload, the first press while the timer runs allows the
 * sound.
 */
export function useArmedChime(running: boolean): void {
  useEffect(() => {
    if (!running) return
    const armed = new AbortController()
    const arm = () => {
      armed.abort()
      allowSound()
    }
    window.addEventListener('pointerdown', arm, { signal: armed.signal })
    window.addEventListener('keydown', arm, { signal: armed.signal })
    return () => armed.abort()
  }, [running])
}
