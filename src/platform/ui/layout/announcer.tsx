import { useEffect, useState } from 'react'

const announcements = new EventTarget()

/**
 * Announces a sentence to screen readers. Waits until nothing else is being read. It replaces what was announced a moment ago,
 * unless it is to be read `after` that.
 */
export function announce(sentence: string, { after = false } = {}): void {
  announcements.dispatchEvent(new CustomEvent('sentence', { detail: { sentence, after } }))
}

/** Mount once, before anything is announced: a live region that is inserted together with its text is not read. */
export function Announcer() {
  const [sentences, setSentences] = useState<readonly { nth: number; sentence: string }[]>([])
  useEffect(() => {
    let clearing: ReturnType<typeof setTimeout>
    let nth = 0
    const speak = (event: Event) => {
      if (!(event instanceof CustomEvent)) return
      const { sentence, after } = event.detail
      const next = { nth: nth++, sentence }
      setSentences((now) => (after ? [...now, next] : [next]))
      // Clear the sentences afterwards. Otherwise the same sentence a second time would be no change, and would not be read.
      clearTimeout(clearing)
      clearing = setTimeout(() => setSentences([]), 1_000)
    }
    announcements.addEventListener('sentence', speak)
    return () => {
      clearTimeout(clearing)
      announcements.removeEventListener('sentence', speak)
    }
  }, [])
  return (
    <p aria-live="polite" className="sr-only">
      {/* Each sentence has an element of its own. In one text that grows, all of them would be read again. */}
      {sentences.map(({ nth, sentence }) => (
        <span key={nth} className="block">
          {sentence}
        </span>
      ))}
    </p>
  )
}
