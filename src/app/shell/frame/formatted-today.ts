import { useEffect, useState } from 'react'
import { onceQuiet } from '#platform/browser/activity.ts'
import { useToday } from '#platform/browser/clock/user-calendar.tsx'

/**
 * The person's current day in the browser's language, such as 'Friday, 20 November'. Undefined until the screen can be used:
 * the browser's first use of Intl costs a slow phone a tenth of a second.
 */
export function useFormattedToday(): { label: string; language: string } | undefined {
  const today = useToday()
  const [words, setWords] = useState(made)
  useEffect(() => {
    if (words) return
    onceQuiet(() => {
      made ??= new Intl.DateTimeFormat(undefined, {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        timeZone: 'UTC',
      })
      setWords(made)
    })
  }, [words])
  return words && { label: words.format(Date.parse(today)), language: words.resolvedOptions().locale }
}

/** Made once: each opening of a task's details draws the top bar again, and this takes longer than all else in it. */
let made: Intl.DateTimeFormat | undefined
