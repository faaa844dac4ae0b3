import type { ComponentProps } from 'react'
import { DueHabits } from '#features/habits/web/due-habits.tsx'
import { OwnSessions } from './own-sessions.tsx'

export function DueHabitsToday(props: ComponentProps<typeof DueHabits>) {
  return (
    <OwnSessions>
      <DueHabits {...props} />
    </OwnSessions>
  )
}
