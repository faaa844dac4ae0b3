import { lazy, Suspense } from 'react'
import { useSession } from '#features/account/web/session.ts'
import { LandingPage } from '#features/landing/web/landing-page.tsx'

// A visitor is not sent what only members need.
const LandingOfMember = lazy(() => import('./landing-of-member.tsx'))

/** Tells the landing page who is looking at it. */
export function Landing() {
  const session = useSession()
  if (session.status !== 'signed-in') return <LandingPage visitor={session} />
  return (
    <Suspense fallback={<LandingPage visitor={{ status: 'loading' }} />}>
      <LandingOfMember user={session.user} />
    </Suspense>
  )
}
