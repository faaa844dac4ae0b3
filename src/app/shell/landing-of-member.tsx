import type { User } from '#features/account/account.ts'
import { useSignOut } from '#features/account/web/sign-out.tsx'
import { LandingPage } from '#features/landing/web/landing-page.tsx'
import { Member } from './member.tsx'

/** Their timer goes on here too, and what waits on their device is sent before a sign-out. */
export default function LandingOfMember({ user }: { user: User }) {
  return (
    <Member user={user}>
      <PageOfMember user={user} />
    </Member>
  )
}

function PageOfMember({ user }: { user: User }) {
  const { signOut, signingOut, question } = useSignOut(user)
  const { name, image } = user
  return (
    <>
      <LandingPage visitor={{ status: 'signed-in', name, image, signOut, signingOut }} />
      {question}
    </>
  )
}
