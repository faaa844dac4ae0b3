import { type ReactNode, useId } from 'react'

interface CardProps {
  title: string
  subtitle: string
  /** To the right of the title. */
  action?: ReactNode
  /** True while its contents are loading. */
  busy?: boolean
  children?: ReactNode
}

/** A self-contained part of a page. Cards are never nested. */
export function Card({ title, subtitle, action, busy, children }: CardProps) {
  const heading = useId()
  return (
    <section
      aria-labelledby={heading}
      aria-busy={busy || undefined}
      className="@container rounded-card bg-raised p-6 ring ring-line max-sm:p-4"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h2 id={heading} className="font-semibold text-body">
            {title}
          </h2>
          <p className="text-control text-ink-2">{subtitle}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
