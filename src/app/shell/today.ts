import { useToday } from '#platform/ui/user-calendar.tsx'

/** The person's day in the browser's own words, such as 'Friday, 20 November'. */
export function useTodayInWords(): { label: string; language: string } {
  const today = useToday()
  const words = new Intl.DateTimeFormat(undefined, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return { label: words.format(Date.parse(today)), language: words.resolvedOptions().locale }
}
