import { lazy, Suspense } from 'react'
import { useSession } from '#features/account/web/session.ts'
import { LandingPage } from '#features/landing/web/landing-page.tsx'

// A visitor is not sent what only members need.
const LandingOfMember = lazy(() => import('./landing-of-member.tsx'))

/** Tells the landing page who is looking at it. */
export function Landing() {
  const session = useSession()
  if (session.status !== 'signed-in') return <LandingPage visitor={session} />
  const { name, image } = session.user
  // Already looks as it will, so that nothing moves; for this moment there is no way to sign out yet.
  const soon = { status: 'signed-in', name, image, signOut() {}, signingOut: false } as const
  return (
    <Suspense fallback={<LandingPage visitor={soon} />}>
      <LandingOfMember user={session.user} />
    </Suspense>
  )
}
