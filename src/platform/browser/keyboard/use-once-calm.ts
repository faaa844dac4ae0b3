import { useEffect, useState } from 'react'
import { isTyping } from './typing-state.ts'

/** Milliseconds between two checks whether somebody is still typing. */
const interval = 100

/**
 * Whether an action that is `wanted` may happen now. It waits while the person types without having asked for the action.
 * `atMost`: the most milliseconds to wait.
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
