import type { User } from '#features/account/account.ts'
import { useSession } from '#features/account/web/session.ts'
import { useSignOut } from '#features/account/web/sign-out.tsx'
import { LandingPage } from '#features/landing/web/landing-page.tsx'

/** Tells the landing page who is looking at it. */
export function Landing() {
  const session = useSession()
  if (session.status === 'signed-in') return <LandingOfMember user={session.user} />
  return <LandingPage visitor={session} />
}

function LandingOfMember({ user }: { user: User }) {
  const { signOut, signingOut, question } = useSignOut(user)
  return (
    <>
      <LandingPage visitor={{ status: 'signed-in', name: user.name, signOut, signingOut }} />
      {question}
    </>
  )
}
