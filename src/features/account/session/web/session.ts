import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useEffect } from 'react'
import * as z from 'zod/mini'
import { duringActivity } from '#platform/browser/activity.ts'
import { forgetEarlyReads } from '#platform/sync/network/early-reads.ts'
import { whenAborted } from '#platform/sync/network/request.ts'
import { type SessionEnd, sessionEndHeader, sessionEndSchema } from '../session-end.ts'
import { type User, userSchema } from '../user.ts'
import { settleEndedSignIn, storeEndedSignIn, unexplainedEnd } from './ended-sign-in.ts'
import { finishErasing, forgetOnThisDevice } from './forget-on-this-device.ts'
import { finishSignOut, forgetDeadSignOut, isSigningOut, isSignOutPending } from './pending-sign-out.ts'
import { accountKey, forgetAccount, readStoredAccount, storeAccount } from './stored-account.ts'

export type Session =
  | { status: 'loading' }
  | { status: 'signed-in'; user: User }
  | { status: 'signed-out' }
  /** The server did not respond, and the device remembers nobody. */
  | { status: 'unknown' }

export function useSession(): Session {
  const rereadSession = useRereadSession()
  useEffect(() => {
    // Signing in or out changes what this device stores, and browsers notify the other tabs of that.
    const follow = ({ key }: StorageEvent) => {
      if (key === accountKey || key === null) void rereadSession()
    }
    // The browser may restore a page with its former user when people go back; such a page has missed all events.
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void rereadSession()
    }
    window.addEventListener('storage', follow)
    window.addEventListener('pageshow', comeBack)
    return () => {
      window.removeEventListener('storage', follow)
      window.removeEventListener('pageshow', comeBack)
    }
  }, [rereadSession])

  const { data: reading } = useQuery(sessionQuery)
  if (reading?.user === undefined) return { status: 'loading' }
  if (reading.user) return { status: 'signed-in', user: reading.user }
  return { status: reading.from === 'nowhere' ? 'unknown' : 'signed-out' }
}

/**
 * The user whose page is shown. Within it, read this instead of the session: a person who was signed out elsewhere finishes their
 * sentence, and the field must not go while they type.
 */
export const ShownUserContext = createContext<User | undefined>(undefined)

/** The signed-in user, for use before the first render: the account that the device remembers, or else what the server says. */
export async function userOf(queryClient: QueryClient): Promise<User | undefined> {
  const { user } = await queryClient.ensureQueryData(sessionQuery)
  return user ?? undefined
}

/** The id of the sign-in session; undefined until the server has responded, such as after a start without a connection. */
export function useSignInSession(): string | undefined {
  return useQuery(sessionQuery).data?.signIn
}

/** Asks the server again who is signed in; resolves once the screens are up to date. */
export function useRereadSession(): () => Promise<void> {
  const queryClient = useQueryClient()
  return useCallback(() => queryClient.refetchQueries({ queryKey: sessionQuery.queryKey }), [queryClient])
}

/**
 * Returns a function that makes all reads of the session wait until its result is called. Needed for a change that other tabs may
 * learn of before this tab, so that no screen reacts to a half-finished change.
 */
export function useHoldSession(): () => () => void {
  const queryClient = useQueryClient()
  return () => {
    let release = () => {}
    held = new Promise((resolve) => {
      release = resolve
    })
    void queryClient.cancelQueries({ queryKey: sessionQuery.queryKey })
    return () => release()
  }
}

let held: Promise<void> | undefined

/**
 * Ends the session of an account that is gone, in all screens at once and without a request. While `goAway` navigates, nothing of
 * the account is shown or requested.
 */
export function useEndSession(): (goAway: () => Promise<void>) => Promise<void> {
  const queryClient = useQueryClient()
  return async (goAway) => {
    const setUser = (user: null | undefined) =>
      queryClient.setQueryData(sessionQuery.queryKey, { user, signIn: undefined, from: 'server' })
    setUser(undefined)
    await goAway().finally(() => setUser(null))
  }
}

/**
 * Forgets the session of an account that was just erased, so that no screen shows the account or reads its data again while the
 * server is asked.
 */
export function useForgetSession(): () => void {
  const queryClient = useQueryClient()
  return () =>
    queryClient.setQueryData(sessionQuery.queryKey, { user: null, signIn: undefined, from: 'server' })
}

const sessionQuery = queryOptions<Reading>({
  queryKey: ['session'],
  queryFn: ({ signal }) => duringActivity(readSession(signal)),
  // A remembered person sees the stored data at once, while the server is asked whether the session is still valid.
  initialData: () => {
    const user = isSignOutPending() ? null : rememberedAccount()
    return user ? { user, signIn: undefined, from: 'device' } : undefined
  },
  initialDataUpdatedAt: 0,
  staleTime: 60_000,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
  // The query has to run offline too, or a cold start would load forever; offline it uses what the device remembers.
  networkMode: 'always',
  refetchOnReconnect: 'always',
  refetchInterval: ({ state }) => (state.data && state.data.from !== 'server' ? 15_000 : false),
})

interface Reading {
  /** Undefined while the app navigates away from an account that is gone. */
  user: User | null | undefined
  signIn: string | undefined
  from: 'server' | 'device' | 'nowhere'
}

const responseSchema = z.nullable(z.object({ user: userSchema, session: z.object({ id: z.string() }) }))

/**
 * Reads the session. Only `null` or a 401 from the server means signed out; without a response, the last account on this device
 * counts.
 */
async function readSession(signal: AbortSignal): Promise<Reading> {
  if (held) await held
  signal.throwIfAborted()
  await finishErasing(() => rememberedAccount()?.id)
  signal.throwIfAborted()
  if (isSignOutPending()) return readSignOut()
  const remembered = rememberedAccount()
  // A remembered person should not wait long for a connection that hangs.
  const timeout = AbortSignal.timeout(remembered ? 3_000 : 15_000)
  try {
    const response = await fetchSession(AbortSignal.any([signal, timeout]))
    if (response.status !== 401 && !response.ok) throw new Error(`get-session answered ${response.status}`)
    const session = response.status === 401 ? null : responseSchema.parse(await response.json())
    if (session) await forgetDeadSignOut()
    const rememberedNow = rememberedAccount()
    // Another tab signed out or in while this request was running. The response is older than that, and would bring back an
    // account that was forgotten.
    if ((session || rememberedNow) && rememberedNow?.id !== remembered?.id) return readSession(signal)
    if (session) {
      storeAccount(session.user)
      settleEndedSignIn(session.user.id)
    } else await endSignIn(sessionEndSchema.safeParse(response.headers.get(sessionEndHeader)).data)
    return { user: session?.user ?? null, signIn: session?.session.id, from: 'server' }
  } catch (error) {
    signal.throwIfAborted()
    console.warn('The session could not be read', error)
    return { user: remembered, signIn: undefined, from: remembered ? 'device' : 'nowhere' }
  }
}

/** After signing out offline, ignore the session cookie and every response to a request that was made with it. */
async function readSignOut(): Promise<Reading> {
  globalThis.earlySession = null
  forgetEarlyReads()
  const from = (await finishSignOut()) ? 'server' : 'device'
  return { user: null, signIn: undefined, from }
}

/** Forgets people who signed out here. Anybody else is told at the next sign-in why their session ended. */
async function endSignIn(why: SessionEnd | undefined): Promise<void> {
  const remembered = rememberedAccount()
  forgetAccount()
  // The tab in which they are signing out may have been closed before it erased the account.
  if (remembered && isSigningOut(remembered.id)) return forgetOnThisDevice(remembered)
  const user = remembered ?? (why && unexplainedEnd())
  if (!user) return
  storeEndedSignIn(user, why, Date.now())
  if (why !== 'account-deleted') return
  await forgetOnThisDevice(user)
}

declare global {
  /**
   * The session request that public/session.js starts on pages that need an account. Null after the app has used it: later
   * requests need a fresh response.
   */
  var earlySession: Promise<Response> | null | undefined
  /** The account that the device remembered when `earlySession` was started. */
  var earlyAccount: string | null | undefined
}

function fetchSession(signal: AbortSignal): Promise<Response> {
  const { earlySession, earlyAccount } = globalThis
  globalThis.earlySession = null
  // Another tab may have signed out since, and its response would bring the account back.
  if (earlySession && earlyAccount === readStoredAccount())
    return Promise.race([earlySession, whenAborted(signal)])
  return fetch('/api/auth/get-session', {
    headers: { accept: 'application/json' },
    cache: 'no-store',
    signal,
  })
}

function rememberedAccount(): User | null {
  try {
    const stored = readStoredAccount()
    return stored === null ? null : userSchema.parse(JSON.parse(stored))
  } catch {
    return null
  }
}
