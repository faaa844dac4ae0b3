import { Link } from '@tanstack/react-router'
import { Button } from '#platform/ui/button.tsx'
import { Mark } from '#platform/ui/mark.tsx'

export type Visitor =
  | { status: 'loading' }
  | { status: 'signed-out' }
  | { status: 'signed-in'; name: string; signOut: () => void; signingOut: boolean }

export function LandingHeader({ visitor }: { visitor: Visitor }) {
  return (
    <header className="mx-auto flex min-h-18 w-full max-w-[1184px] flex-wrap items-center justify-between gap-x-4 px-4 py-2 md:px-8">
      <Link to="/" className="flex items-center gap-2.5 rounded-control text-heading pointer-coarse:min-h-11">
        <Mark />
        Daymark
      </Link>
      {visitor.status === 'signed-out' && <WaysIn />}
      {visitor.status === 'signed-in' && <Welcome {...visitor} />}
    </header>
  )
}

function WaysIn() {
  return (
    <nav aria-label="Account" className="flex items-center gap-1 sm:gap-2">
      <Button asChild variant="quiet" className="px-3 text-body sm:px-4">
        <Link to="/sign-in">Sign In</Link>
      </Button>
      <Button asChild className="px-3 text-body sm:px-4">
        <Link to="/sign-up">Get Started</Link>
      </Button>
    </nav>
  )
}

/** On a phone the greeting takes a second line, or a long name would push the buttons out. */
function Welcome({ name, signOut, signingOut }: { name: string; signOut: () => void; signingOut: boolean }) {
  return (
    <>
      <p className="order-last w-full min-w-0 truncate pb-2 text-body text-ink-2 md:order-none md:ml-auto md:w-auto md:pb-0">
        Welcome, {name.trim() || 'User'}
      </p>
      <nav aria-label="Account" className="flex items-center gap-1 sm:gap-2">
        <Button variant="quiet" className="px-3 text-body sm:px-4" busy={signingOut} onClick={signOut}>
          Logout
        </Button>
        <Button asChild className="px-3 text-body sm:px-4">
          <Link to="/todos">Go to Dashboard</Link>
        </Button>
      </nav>
    </>
  )
}
