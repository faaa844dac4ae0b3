import { useEffect, useState } from 'react'

const announcements = new EventTarget()

/**
 * Announces a sentence to screen readers, for changes that the person did not cause. Waits until nothing else is being read.
 */
export function announce(sentence: string): void {
  announcements.dispatchEvent(new CustomEvent('sentence', { detail: sentence }))
}

/** Mount once, before anything is announced: a live region that is inserted together with its text is not read. */
export function Announcer() {
  const [sentence, setSentence] = useState('')
  useEffect(() => {
    let clearing: ReturnType<typeof setTimeout>
    const speak = (event: Event) => {
      if (!(event instanceof CustomEvent)) return
      setSentence(event.detail)
      // Clear the sentence afterwards. Otherwise the same sentence a second time would be no change, and would not be read.
      clearTimeout(clearing)
      clearing = setTimeout(() => setSentence(''), 1_000)
    }
    announcements.addEventListener('sentence', speak)
    return () => {
      clearTimeout(clearing)
      announcements.removeEventListener('sentence', speak)
    }
  }, [])
  return (
    <p aria-live="polite" className="sr-only">
      {sentence}
    </p>
  )
}
