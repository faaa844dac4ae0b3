import type { ReactNode } from 'react'
import type { FocusSubject } from '../subjects/focus-subject.ts'
import { useFocusCountdown } from '../timer/web/focus-timer-context.ts'
import { FocusToday } from './focus-today.tsx'

interface FocusStripProps {
  always: boolean
  subject(subject: FocusSubject): ReactNode
}

/** The timer at the bottom of other screens on phones. Shown while the timer is running or paused, or always with `always`. */
export function FocusStrip({ always, subject }: FocusStripProps) {
  const status = useFocusCountdown()?.status
  if (!always && status !== 'running' && status !== 'paused') return null
  return (
    <FocusToday
      variant="quiet"
      subject={subject}
      className="min-h-14 pr-2 pl-4 shadow-[inset_0_-1px_0_var(--line)]"
    />
  )
}
