import { Navigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { LoadingScreen } from '#platform/ui/spinner.tsx'
import { useInstance } from './instance.ts'

/** What is only there where mail is sent; anywhere else its address leads to /sign-in. */
export function MailedPage({ children }: { children: ReactNode }) {
  const instance = useInstance()
  if (instance === undefined) return <LoadingScreen />
  return instance?.mail === false ? <Navigate to="/sign-in" replace /> : children
}

/** The token of the link that led here; empty when it has none. */
export function useMailedToken(): string {
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '')
  return token
}

/** What came of it, in the place of the form: it takes the focus, so that it is read out. */
export function Outcome({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <div ref={ref} tabIndex={-1} className="grid gap-2 text-control text-ink-2 outline-none">
      {children}
    </div>
  )
}
