import { Link } from '@tanstack/react-router'
import { Button, buttonLook } from '#platform/ui/controls/button.tsx'
import { Avatar } from '#platform/ui/signs/avatar.tsx'
import { Mark } from '#platform/ui/signs/mark.tsx'

export type Visitor =
  | { status: 'loading' }
  | { status: 'signed-out' }
  | {
      status: 'signed-in'
      name: string
      /** The URL of the visitor's picture, if there is one. */
      image: string | null | undefined
      /** The screen with which the visitor's account opens. */
      start: '/todos' | '/today'
      signOut: () => void
      signingOut: boolean
    }

export function LandingHeader({ visitor }: { visitor: Visitor }) {
  return (
    <header className="mx-auto flex min-h-15 w-full max-w-[1184px] flex-wrap items-center justify-between gap-x-4 px-4 py-2 @3xl:min-h-18 @3xl:px-8">
      <Link to="/" className="flex items-center gap-2.5 rounded-control text-heading pointer-coarse:min-h-11">
        <Mark />
        Daymark
      </Link>
      {visitor.status === 'signed-out' && (
        <>
          <WaysIn />
          <RoomForWelcome />
        </>
      )}
      {visitor.status === 'signed-in' && <Welcome {...visitor} />}
    </header>
  )
}

/**
 * The links to sign in and sign up. The prerendered page hides them if the device remembers an account, because the welcome is
 * about to replace them.
 */
function WaysIn() {
  return (
    <nav
      aria-label="Account"
      className="ml-auto flex flex-wrap items-center justify-end gap-x-1 in-[[data-has-account]_[data-prerendered]]:invisible @lg:gap-2"
    >
      <Link
        className={buttonLook({
          variant: 'quiet',
          className: 'px-2 @min-[22.5rem]:px-3 @min-[22.5rem]:text-body @lg:px-4',
        })}
        to="/sign-in"
      >
        Sign In
      </Link>
      <Link className={buttonLook({ className: 'px-3 @min-[22.5rem]:text-body @lg:px-4' })} to="/sign-up">
        Get Started
      </Link>
    </nav>
  )
}

/** Reserves the second line that the welcome takes on a phone, so that nothing below moves when the welcome appears. */
function RoomForWelcome() {
  return (
    <div className="hidden h-10 w-full pointer-coarse:h-11 @max-3xl:in-[[data-has-account]_[data-prerendered]]:block" />
  )
}

/** On a phone, the greeting shares a second line with the dashboard link: a long name would push the buttons out otherwise. */
function Welcome({ name, image, start, signOut, signingOut }: Extract<Visitor, { status: 'signed-in' }>) {
  return (
    <>
      <Button
        variant="quiet"
        className="px-3 text-body @max-3xl:-mr-3 @3xl:order-2"
        busy={signingOut}
        onClick={signOut}
      >
        Logout
      </Button>
      <div className="flex w-full flex-wrap items-center justify-between gap-x-4 @3xl:contents">
        <div className="flex min-w-[min(100%,9rem)] flex-1 items-center gap-2 @3xl:order-1 @3xl:ml-auto @3xl:flex-none">
          <Avatar name={name} image={image} />
          <p className="line-clamp-2 min-w-0 text-control text-ink-2 wrap-anywhere @3xl:line-clamp-1 @3xl:text-body">
            Welcome, {name.trim() || 'User'}
          </p>
        </div>
        <Link className={buttonLook({ className: 'text-body @3xl:order-3' })} to={start}>
          Go to Dashboard
        </Link>
      </div>
    </>
  )
}
