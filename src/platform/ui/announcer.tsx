import { useEffect, useState } from 'react'

const spoken = new EventTarget()

/** Tells those who do not see the screen what it shows by itself; waits until they are not being read something. */
export function announce(sentence: string): void {
  spoken.dispatchEvent(new CustomEvent('sentence', { detail: sentence }))
}

/** Once in the app, there before anything is said: a live region that arrives with its text is not read. */
export function Announcer() {
  const [sentence, setSentence] = useState('')
  useEffect(() => {
    let silence: ReturnType<typeof setTimeout>
    const speak = (event: Event) => {
      if (!(event instanceof CustomEvent)) return
      setSentence(event.detail)
      // Emptied, or the same sentence twice would be no change and stay unread.
      clearTimeout(silence)
      silence = setTimeout(() => setSentence(''), 1_000)
    }
    spoken.addEventListener('sentence', speak)
    return () => {
      clearTimeout(silence)
      spoken.removeEventListener('sentence', speak)
    }
  }, [])
  return (
    <p aria-live="polite" className="sr-only">
      {sentence}
    </p>
  )
}
