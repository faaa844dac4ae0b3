import { useEffect, useEffectEvent } from 'react'
import type { User } from '#features/account/account.ts'
import { useSignOut } from '#features/account/web/sign-out.tsx'
import { LandingPage } from '#features/landing/web/landing-page.tsx'
import { Member } from './member.tsx'

interface LandingOfMemberProps {
  user: User
  /** They have asked to be signed out before this was here; told back once that has begun. */
  leaving: boolean
  onLeaving(): void
}

/** Their timer goes on here too, and what waits on their device is sent before a sign-out. */
export default function LandingOfMember(props: LandingOfMemberProps) {
  return (
    <Member user={props.user}>
      <PageOfMember {...props} />
    </Member>
  )
}

function PageOfMember({ user, leaving, onLeaving }: LandingOfMemberProps) {
  const { signOut, signingOut, question } = useSignOut(user)
  const leave = useEffectEvent(() => {
    onLeaving()
    signOut()
  })
  useEffect(() => {
    if (leaving) leave()
  }, [leaving])
  const { name, image } = user
  return (
    <>
      <LandingPage visitor={{ status: 'signed-in', name, image, signOut, signingOut }} />
      {question}
    </>
  )
}
