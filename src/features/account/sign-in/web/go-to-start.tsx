import { Navigate } from '@tanstack/react-router'
import { startPathOf } from '#platform/browser/device/start-page.ts'

/** Sends a signed-in person to the start screen of their account. */
export function GoToStart({ account }: { account: string }) {
  return <Navigate to={startPathOf(account)} replace />
}
