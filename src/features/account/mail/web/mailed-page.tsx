import { Navigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Failed } from '#features/account/session/web/auth-request.ts'
import { useInstance } from '#features/account/sign-in/web/use-instance.ts'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'

/** A page that exists only if this server sends mail; otherwise it redirects to /sign-in. */
export function MailedPage({ children }: { children: ReactNode }) {
  const instance = useInstance()
  if (instance === undefined) return <LoadingScreen />
  return instance?.mail === false ? <Navigate to="/sign-in" replace /> : children
}

/** The token in the link that led here; empty if the link has none. */
export function useMailedToken(): string {
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '')
  return token
}

/** Whether the link's token no longer works: it has been used, has expired, or was never sent. */
export function isBadToken(response: { ok: true } | Failed): boolean {
  return !response.ok && response.failure?.code === 'INVALID_TOKEN'
}

/** The outcome, shown in place of the form. It takes the focus, so that screen readers read it out. */
export function Outcome({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <div ref={ref} tabIndex={-1} className="grid gap-2 text-control text-ink-2 outline-none">
      {children}
    </div>
  )
}
