import { useEffect, useState } from 'react'
import { isTyping } from './typing-state.ts'

/** Milliseconds between two looks at whether somebody still types. */
const interval = 100

/**
 * Whether to do what is wanted: not while somebody types who did not ask for it. `atMost`: in milliseconds, until when it is put off
 * for somebody who goes on typing.
 */
export function useOnceCalm(wanted: boolean, atMost = Number.POSITIVE_INFINITY): boolean {
  const [calm, setCalm] = useState(false)
  if (wanted && !calm && !isTyping()) setCalm(true)
  if (!wanted && calm) setCalm(false)
  useEffect(() => {
    if (!wanted || calm) return
    const since = performance.now()
    const looking = setInterval(() => {
      if (!isTyping() || performance.now() - since > atMost) setCalm(true)
    }, interval)
    return () => clearInterval(looking)
  }, [wanted, calm, atMost])
  return wanted && calm
}
