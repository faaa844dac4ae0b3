import { Suspense, useState } from 'react'
import { useSession } from '#features/account/session/web/session.ts'
import { LandingPage } from '#features/landing/web/landing-page.tsx'
import { startPathOf } from '#platform/browser/device/start-page.ts'
import { lazyPart } from '#platform/ui/lazy-part.tsx'

// Visitors do not download what only signed-in users need.
const LazySignedInLanding = lazyPart(() => import('./signed-in-landing.tsx'), 'SignedInLanding')

/** The landing page, for a visitor or a signed-in user. */
export function Landing() {
  const session = useSession()
  const [leaving, setLeaving] = useState(false)
  // If we don't know whether they are signed in, the visitor's links work either way.
  if (session.status === 'unknown') return <LandingPage visitor={{ status: 'signed-out' }} />
  if (session.status !== 'signed-in') return <LandingPage visitor={session} />
  const { id, name, image } = session.user
  const start = startPathOf(id)
  // Already looks like the loaded page, so nothing moves. A sign-out pressed now begins as soon as that is there.
  const signOut = () => setLeaving(true)
  const soon = { status: 'signed-in', name, image, start, signOut, signingOut: leaving } as const
  return (
    <Suspense fallback={<LandingPage visitor={soon} />}>
      <LazySignedInLanding user={session.user} leaving={leaving} onLeaving={() => setLeaving(false)} />
    </Suspense>
  )
}
