import type { ReactNode } from 'react'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'

/** A page shown instead of another one that was not found or that broke. This page has no sidebar, unless it is `framed`. */
export function LonePage({
  title,
  sentence,
  hint,
  framed,
  children,
}: {
  title: string
  sentence: string
  hint?: ReactNode
  framed?: boolean
  children: ReactNode
}) {
  const Root = framed ? 'div' : 'main'
  return (
    <Root
      className={`grid content-center justify-items-center px-4 py-10 ${framed ? 'min-h-[75dvh]' : 'min-h-dvh'}`}
    >
      <h1 className="text-center text-title outline-none">{title}</h1>
      <EmptyState sentence={sentence} hint={hint} className="mt-10">
        {children}
      </EmptyState>
    </Root>
  )
}
