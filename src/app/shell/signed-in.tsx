import { Navigate, Outlet } from '@tanstack/react-router'
import { useSession } from '#features/account/web/session.ts'
import { UserMenu } from '#features/account/web/user-menu.tsx'
import { later } from '#platform/ui/later.ts'
import { LoadingScreen } from '#platform/ui/spinner.tsx'
import { Member } from './member.tsx'
import { SessionUnknown } from './session-unknown.tsx'
import { Shell } from './shell.tsx'

/** The pages of someone who is signed in; everyone else is sent to /sign-in. */
export function SignedIn() {
  const session = useSession()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'unknown') return <SessionUnknown />
  if (session.status === 'signed-out') return <Navigate to="/sign-in" replace />
  return (
    <Member user={session.user}>
      <Shell userMenu={<UserMenu user={session.user} />}>
        <Outlet />
      </Shell>
    </Member>
  )
}

// Where a sign-out leads, with or without a connection.
later(() => import('#features/account/web/sign-in-page.tsx'))
