import { useEffect, useState } from 'react'

const announcements = new EventTarget()

/**
 * Announces a sentence to screen readers, for changes that the person did not cause. Waits until nothing else is being read.
 * It replaces what was announced a moment ago, unless it is to be read `after` that.
 */
export function announce(sentence: string, { after = false } = {}): void {
  announcements.dispatchEvent(new CustomEvent('sentence', { detail: { sentence, after } }))
}

/** Mount once, before anything is announced: a live region that is inserted together with its text is not read. */
export function Announcer() {
  const [sentences, setSentences] = useState<readonly string[]>([])
  useEffect(() => {
    let clearing: ReturnType<typeof setTimeout>
    const speak = (event: Event) => {
      if (!(event instanceof CustomEvent)) return
      const { sentence, after } = event.detail
      setSentences((now) => (after ? [...now, sentence] : [sentence]))
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
      {/* Each is an element of its own: of a text that grows, all would be read again. */}
      {sentences.map((sentence, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sentences are only added at the end
        <span key={place} className="block">
          {sentence}
        </span>
      ))}
    </p>
  )
}
