import { Suspense, useState } from 'react'
import { useSession } from '#features/account/session/web/session.ts'
import { LandingPage } from '#features/landing/landing-page.tsx'
import { startPathOf } from '#platform/browser/device/start-page.ts'
import { lazyPart } from '#platform/ui/lazy-part.tsx'

// Loaded lazily, so that visitors do not download what only signed-in users need.
const LazySignedInLanding = lazyPart(() => import('./signed-in-landing.tsx'), 'SignedInLanding')

/** The landing page, for a visitor or a signed-in user. */
export function Landing() {
  const session = useSession()
  const [leaving, setLeaving] = useState(false)
  // If it is unknown whether the person is signed in, the visitor's links work either way.
  if (session.status === 'unknown') return <LandingPage visitor={{ status: 'signed-out' }} />
  if (session.status !== 'signed-in') return <LandingPage visitor={session} />
  const { id, name, image } = session.user
  const start = startPathOf(id)
  // Looks like the loaded page already, so nothing moves. A sign-out pressed now begins as soon as the rest has loaded.
  const signOut = () => setLeaving(true)
  const soon = { status: 'signed-in', name, image, start, signOut, signingOut: leaving } as const
  return (
    <Suspense fallback={<LandingPage visitor={soon} />}>
      <LazySignedInLanding user={session.user} leaving={leaving} onLeaving={() => setLeaving(false)} />
    </Suspense>
  )
}
