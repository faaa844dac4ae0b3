import { useEffect, useEffectEvent } from 'react'
import type { User } from '#features/account/session/user.ts'
import { useSignOut } from '#features/account/session/web/sign-out.tsx'
import { LandingPage } from '#features/landing/landing-page.tsx'
import { startPathOf } from '#platform/browser/device/start-page.ts'
import { SignedInProviders } from '../signed-in/signed-in-providers.tsx'

interface SignedInLandingProps {
  user: User
  /** Whether the person pressed sign out before this had loaded. `onLeaving` is called once the sign-out has begun. */
  leaving: boolean
  onLeaving(): void
}

/**
 * The landing page of a signed-in user. Their timer continues here, and a sign-out first sends the device's unsent writes.
 */
export function SignedInLanding(props: SignedInLandingProps) {
  return (
    <SignedInProviders user={props.user}>
      <PageOfUser {...props} />
    </SignedInProviders>
  )
}

function PageOfUser({ user, leaving, onLeaving }: SignedInLandingProps) {
  const { signOut, signingOut, question } = useSignOut(user)
  const leave = useEffectEvent(() => {
    onLeaving()
    signOut()
  })
  useEffect(() => {
    if (leaving) leave()
  }, [leaving])
  const { id, name, image } = user
  const start = startPathOf(id)
  return (
    <>
      <LandingPage visitor={{ status: 'signed-in', name, image, start, signOut, signingOut }} />
      {question}
    </>
  )
}
