import { lazy, Suspense, useState } from 'react'
import { useSession } from '#features/account/web/session.ts'
import { LandingPage } from '#features/landing/web/landing-page.tsx'

// A visitor is not sent what only members need.
const LandingOfMember = lazy(() => import('./landing-of-member.tsx'))

/** Tells the landing page who is looking at it. */
export function Landing() {
  const session = useSession()
  const [leaving, setLeaving] = useState(false)
  // Whoever may or may not be signed in can go in by the links of a visitor.
  if (session.status === 'unknown') return <LandingPage visitor={{ status: 'signed-out' }} />
  if (session.status !== 'signed-in') return <LandingPage visitor={session} />
  const { name, image } = session.user
  // Already looks as it will, so that nothing moves. Who signs out at this moment is signed out in the next.
  const signOut = () => setLeaving(true)
  const soon = { status: 'signed-in', name, image, signOut, signingOut: leaving } as const
  return (
    <Suspense fallback={<LandingPage visitor={soon} />}>
      <LandingOfMember user={session.user} leaving={leaving} onLeaving={() => setLeaving(false)} />
    </Suspense>
  )
}
