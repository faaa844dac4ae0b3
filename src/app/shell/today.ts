import { useEffect, useState } from 'react'

/** Today in the browser's own words, such as 'Friday, 20 November', turning over at midnight. */
export function useToday(): { label: string; language: string } {
  const [today, setToday] = useState(() => startOfDay(new Date()))
  useEffect(() => {
    const lookAtClock = () => setToday(startOfDay(new Date()))
    const midnight = setTimeout(lookAtClock, startOfNextDay(today) - Date.now())
    // The timer sleeps with the machine; whoever comes back to the page makes it ask again.
    document.addEventListener('visibilitychange', lookAtClock)
    return () => {
      clearTimeout(midnight)
      document.removeEventListener('visibilitychange', lookAtClock)
    }
  }, [today])
  const words = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
  return { label: words.format(today), language: words.resolvedOptions().locale }
}

function startOfDay(moment: Date): number {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime()
}

function startOfNextDay(day: number): number {
  const date = new Date(day)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime()
}
