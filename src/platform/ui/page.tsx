import type { ReactNode } from 'react'

interface PageProps {
  title: string
  subtitle: string
  /** The page's one action, at the right of its title. */
  action?: ReactNode
  children: ReactNode
}

/** A signed-in page: its head and, under it, one column of 768 px. */
export function Page({ title, subtitle, action, children }: PageProps) {
  return (
    <div className="mx-auto max-w-[768px]">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h1 tabIndex={-1} className="text-title outline-none">
            {title}
          </h1>
          <p className="mt-1 text-control text-ink-2">{subtitle}</p>
        </div>
        {action}
      </header>
      {children}
    </div>
  )
}
