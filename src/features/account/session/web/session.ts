import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
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
    // A page restored by the back button has missed all events, and still shows its former user.
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

/** The signed-in user; undefined if there is none, or while that is unknown. */
export function useUser(): User | undefined {
  return useQuery(sessionQuery).data?.user ?? undefined
}

/** The same for before anything is drawn: whom the device remembers, or else the server says. */
export async function userOf(queryClient: QueryClient): Promise<User | undefined> {
  const { user } = await queryClient.ensureQueryData(sessionQuery)
  return user ?? undefined
}

/** The id of the sign-in session; undefined until the server has answered, as at a start without a connection. */
export function useSignInSession(): string | undefined {
  return useQuery(sessionQuery).data?.signIn
}

/** Asks the server again who is signed in; resolves once the screens are up to date. */
export function useRereadSession(): () => Promise<void> {
  const queryClient = useQueryClient()
  return useCallback(() => queryClient.refetchQueries({ queryKey: sessionQuery.queryKey }), [queryClient])
}

/**
 * For a change that other tabs may learn of before this one: reads of the session wait, until the returned function is
 * called, so that what they find halfway leads no screen astray.
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
 * For an account that is gone: the screens know at once, without a request, and nothing of it is shown or requested while
 * `goAway` navigates.
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

/** For an account that was just erased: no screen may show it, or open its data anew, while the server is asked. */
export function useForgetSession(): () => void {
  const queryClient = useQueryClient()
  return () =>
    queryClient.setQueryData(sessionQuery.queryKey, { user: null, signIn: undefined, from: 'server' })
}

const sessionQuery = queryOptions<Reading>({
  queryKey: ['session'],
  queryFn: ({ signal }) => duringActivity(readSession(signal)),
  // People whom the device remembers see their stored data at once, while the server is asked whether they are still signed
  // in.
  initialData: () => {
    const user = isSignOutPending() ? null : rememberedAccount()
    return user ? { user, signIn: undefined, from: 'device' } : undefined
  },
  initialDataUpdatedAt: 0,
  staleTime: 60_000,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
  // It has to run offline too, or a cold start would load forever; what the device remembers counts then.
  networkMode: 'always',
  refetchOnReconnect: 'always',
  refetchInterval: ({ state }) => (state.data && state.data.from !== 'server' ? 15_000 : false),
})

interface Reading {
  /** Undefined while leaving. */
  user: User | null | undefined
  signIn: string | undefined
  from: 'server' | 'device' | 'nowhere'
}

const responseSchema = z.nullable(z.object({ user: userSchema, session: z.object({ id: z.string() }) }))

/** Only `null` or a 401 from the server means signed out; without a response, the last account on this device counts. */
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
    // Another tab signed out or in meanwhile. The response is from before that, and would bring back what was forgotten.
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

/** After signing out offline, what the cookie says does not count, nor does any response to a request made with it. */
async function readSignOut(): Promise<Reading> {
  globalThis.earlySession = null
  forgetEarlyReads()
  const from = (await finishSignOut()) ? 'server' : 'device'
  return { user: null, signIn: undefined, from }
}

/** The device forgets people who signed out here. Anybody else is told why they are signed out when they sign in again. */
async function endSignIn(why: SessionEnd | undefined): Promise<void> {
  const remembered = rememberedAccount()
  forgetAccount()
  // The tab in which they do may have been closed before it erased the account.
  if (remembered && isSigningOut(remembered.id)) return forgetOnThisDevice(remembered)
  const user = remembered ?? (why && unexplainedEnd())
  if (!user) return
  storeEndedSignIn(user, why, Date.now())
  if (why !== 'account-deleted') return
  await forgetOnThisDevice(user)
}

declare global {
  /**
   * Started by public/session.js on pages of screens that need an account. Null from the app's first request on: later
   * requests must not be answered with what was true at the start.
   */
  var earlySession: Promise<Response> | null | undefined
  /** Whom the device remembered when that was asked. */
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
