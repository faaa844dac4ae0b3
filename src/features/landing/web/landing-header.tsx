import { Link } from '@tanstack/react-router'
import { Button } from '#platform/ui/button.tsx'
import { Mark } from '#platform/ui/mark.tsx'

export type Visitor =
  | { status: 'loading' }
  | { status: 'signed-out' }
  | { status: 'signed-in'; name: string; signOut: () => void; signingOut: boolean }

export function LandingHeader({ visitor }: { visitor: Visitor }) {
  return (
    <header className="mx-auto flex min-h-15 w-full max-w-[1184px] flex-wrap items-center justify-between gap-x-4 px-4 py-2 md:min-h-18 md:px-8">
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

/** On a phone the greeting shares a second line with the dashboard, or a long name would push the buttons out. */
function Welcome({ name, signOut, signingOut }: { name: string; signOut: () => void; signingOut: boolean }) {
  return (
    <>
      <Button
        variant="quiet"
        className="px-3 text-body max-md:-mr-3 md:order-2"
        busy={signingOut}
        onClick={signOut}
      >
        Logout
      </Button>
      <div className="flex w-full items-center justify-between gap-4 md:contents">
        <p className="line-clamp-2 min-w-0 text-control text-ink-2 wrap-anywhere md:order-1 md:ml-auto md:line-clamp-1 md:text-body">
          Welcome, {name.trim() || 'User'}
        </p>
        <Button asChild className="text-body md:order-3">
          <Link to="/todos">Go to Dashboard</Link>
        </Button>
      </div>
    </>
  )
}
