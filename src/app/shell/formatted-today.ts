import { useToday } from '#platform/browser/user-calendar.tsx'

/** The person's current day in the browser's language, such as 'Friday, 20 November'. */
export function useFormattedToday(): { label: string; language: string } {
  const today = useToday()
  const words = new Intl.DateTimeFormat(undefined, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return { label: words.format(Date.parse(today)), language: words.resolvedOptions().locale }
}
