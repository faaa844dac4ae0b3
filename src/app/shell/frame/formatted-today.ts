import { useEffect, useMemo, useState } from 'react'
import { onceQuiet } from '#platform/browser/activity.ts'
import { useToday } from '#platform/browser/clock/user-calendar.tsx'
import type { Day } from '#platform/calendar/day.ts'

/**
 * The person's current day in the browser's language, such as 'Friday, 20 November'. Undefined until the screen can be used:
 * the browser's first use of Intl costs a slow phone a tenth of a second.
 */
export function useFormattedToday(): { label: string; language: string } | undefined {
  const today = useToday()
  const [mayRead, setMayRead] = useState(wordsAreRead)
  useEffect(() => {
    if (mayRead) return
    onceQuiet(() => {
      wordsAreRead = true
      setMayRead(true)
    })
  }, [mayRead])
  // Each opening of a task's details draws the frame again, and Intl takes longer than all else in it.
  return useMemo(() => (mayRead ? formatToday(today) : undefined), [mayRead, today])
}

function formatToday(today: Day) {
  const words = new Intl.DateTimeFormat(undefined, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return { label: words.format(Date.parse(today)), language: words.resolvedOptions().locale }
}

/** Whether Intl has been used: from then on, it is fast. */
let wordsAreRead = false
