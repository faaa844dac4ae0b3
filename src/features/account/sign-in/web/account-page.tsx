import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Beacon, FieldOfDays } from '#platform/ui/charts/field-of-days.tsx'
import { Mark } from '#platform/ui/signs/mark.tsx'

interface AccountPageProps {
  title: string
  subtitle?: string
  /** The form of the page. */
  children: ReactNode
  /** A link to another account page; undefined if the page's content has one. */
  footer?: ReactNode
}

/** The layout of the account pages: the form on the left and, if there is room, an image with the beacon on the right. */
export function AccountPage({ title, subtitle, children, footer }: AccountPageProps) {
  return (
    <div className="grid min-h-dvh md:grid-cols-[3fr_2fr]">
      <div className="flex flex-col px-4 pb-10 md:px-8">
        <header className="pt-4 md:pt-8">
          <Link
            to="/"
            className="flex min-h-7 w-fit items-center gap-2.5 rounded-control text-heading pointer-coarse:min-h-11"
          >
            <Mark />
            Daymark
          </Link>
        </header>
        <main className="mx-auto mt-10 w-full max-w-96 md:mt-12">
          <h1 className="text-title">{title}</h1>
          {subtitle && <p className="mt-1 wrap-anywhere text-control text-ink-2">{subtitle}</p>}
          <div className="mt-7">{children}</div>
          {footer && <p className="mt-5 text-center text-control text-ink-2">{footer}</p>}
        </main>
      </div>
      <Panel />
    </div>
  )
}

function Panel() {
  return (
    <div
      aria-hidden="true"
      className="@container sticky top-0 h-dvh overflow-clip bg-panel text-on-panel max-md:hidden"
    >
      <div className="absolute inset-x-0 top-[62.5%] bottom-0 [--today:60%]">
        <Beacon className="absolute bottom-full left-(--today) w-[min(206px,44cqw)] text-on-panel -translate-x-1/2" />
        <FieldOfDays rows={48} tone="panel" className="absolute top-0.5 left-(--today)" />
      </div>
    </div>
  )
}

/** A link that looks like the other links in running text. */
export function TextLink({
  to,
  children,
}: {
  to: '/sign-in' | '/sign-up' | '/forgot-password' | '/settings' | '/todos'
  children: ReactNode
}) {
  return (
    <Link
      to={to}
      className="relative rounded-box font-semibold text-accent underline-offset-4 after:absolute after:-inset-x-1 after:-inset-y-0.5 hover:underline pointer-coarse:after:-inset-y-3"
    >
      {children}
    </Link>
  )
}
