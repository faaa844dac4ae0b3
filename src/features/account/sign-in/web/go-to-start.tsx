import { Navigate } from '@tanstack/react-router'
import { startPathOf } from '#platform/browser/device/start-page.ts'

/** Leads somebody who is signed in to the screen with which their account opens. */
export function GoToStart({ account }: { account: string }) {
  return <Navigate to={startPathOf(account)} replace />
}
