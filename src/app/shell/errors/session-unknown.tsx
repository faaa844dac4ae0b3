import { useState } from 'react'
import { useRereadSession } from '#features/account/session/web/session.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { LonePage } from './lone-page.tsx'

/**
 * Shown when the server did not say who is signed in and this browser has no stored account. Neither the screens nor the sign-in
 * page would be right then.
 */
export function SessionUnknown() {
  const rereadSession = useRereadSession()
  const [asking, setAsking] = useState(false)
  const tryAgain = async () => {
    setAsking(true)
    await rereadSession()
    setAsking(false)
  }
  return (
    <LonePage
      title="Daymark can't be opened right now"
      sentence="The server can't be reached or isn't responding as it should. You haven't been signed out."
    >
      <Button busy={asking} onClick={() => void tryAgain()}>
        Try again
      </Button>
    </LonePage>
  )
}
