import type { ReactNode } from 'react'
import { focusSessionList } from '#features/focus/web/focus-queries.ts'
import { OwnSessionsContext } from '#features/habits/web/use-habits.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'

/** Lets the habits inside count what was focused on them, as far as this device knows. */
export function OwnSessions({ children }: { children: ReactNode }) {
  return <OwnSessionsContext value={useFocusSessions}>{children}</OwnSessionsContext>
}

function useFocusSessions(areNeeded: boolean) {
  return useCollection(focusSessionList, { isNeeded: areNeeded }).rows
}
