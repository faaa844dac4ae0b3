import type { ReactNode } from 'react'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'

/** A page on its own, without the sidebar: not found, or something broke. */
export function LonePage({
  title,
  sentence,
  children,
}: {
  title: string
  sentence: string
  children: ReactNode
}) {
  return (
    <main className="grid min-h-dvh content-center justify-items-center px-4 py-10">
      <h1 className="text-center text-title outline-none">{title}</h1>
      <EmptyState sentence={sentence} className="mt-10">
        {children}
      </EmptyState>
    </main>
  )
}
