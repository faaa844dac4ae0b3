import { type ReactNode, type Ref, useId } from 'react'

interface CardProps {
  title: string
  /** Left out where the title is enough. */
  subtitle?: string
  /** To the right of the title. */
  action?: ReactNode
  /** True while the contents are loading. */
  busy?: boolean
  /** For a card that takes the focus when its contents change; a screen reader then reads its title. */
  ref?: Ref<HTMLElement>
  children?: ReactNode
}

/** A self-contained part of a page. Cards are never nested. */
export function Card({ title, subtitle, action, busy, ref, children }: CardProps) {
  const heading = useId()
  return (
    <section
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      aria-labelledby={heading}
      aria-busy={busy || undefined}
      className="@container rounded-card bg-raised p-6 outline-none ring ring-line max-sm:p-4"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h2 id={heading} className="font-semibold text-body">
            {title}
          </h2>
          {subtitle !== undefined && <p className="text-control text-ink-2 wrap-anywhere">{subtitle}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
