import { useEffect, useState } from 'react'
import { onceQuiet } from '#platform/browser/activity.ts'
import { useToday } from '#platform/browser/clock/user-calendar.tsx'

/**
 * The person's current day in the browser's language, such as 'Friday, 20 November'. Undefined until the screen can be used:
 * the browser's first use of Intl costs a slow phone a tenth of a second.
 */
export function useFormattedToday(): { label: string; language: string } | undefined {
  const today = useToday()
  const [format, setFormat] = useState(todayFormat)
  useEffect(() => {
    if (format) return
    onceQuiet(() => {
      todayFormat ??= new Intl.DateTimeFormat(undefined, {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        timeZone: 'UTC',
      })
      setFormat(todayFormat)
    })
  }, [format])
  return format && { label: format.format(Date.parse(today)), language: format.resolvedOptions().locale }
}

/** Made once: opening a task's details draws the top bar again, and making this takes longer than all else in it. */
let todayFormat: Intl.DateTimeFormat | undefined
