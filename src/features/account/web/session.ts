import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import * as z from 'zod/mini'
import { type User, userSchema } from '../account.ts'
import { type Ending, endingHeader, endingSchema } from '../ending.ts'
import { accountKey, forgetAccount, keepAccount, keptAccount } from './account-on-device.ts'
import { keepEndedSignIn, settleEndedSignIn, unexplainedEnd } from './ended-sign-in.ts'
import { forgetOnThisDevice } from './forget-on-this-device.ts'
import { finishSignOut, isSignOutPending } from './pending-sign-out.ts'

export type Session =
  | { status: 'loading' }
  | { status: 'signed-in'; user: User }
  | { status: 'signed-out' }
  /** The server did not say, and the device remembers nobody. */
  | { status: 'unknown' }

export function useSession(): Session {
  const rereadSession = useRereadSession()
  useEffect(() => {
    // Signing in or out changes what this device remembers, and browsers tell the other tabs of that.
    const follow = ({ key }: StorageEvent) => {
      if (key === accountKey || key === null) void rereadSession()
    }
    // A page that comes back by the back button has heard nothing meanwhile, and shows whose it was.
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

/** Who is signed in; undefined where nobody is, or while that is not known. */
export function useUser(): User | undefined {
  return useQuery(sessionQuery).data?.user ?? undefined
}

/** The id of the sign-in session; undefined while the server has not said, as at a start without a connection. */
export function useSignInSession(): string | undefined {
  return useQuery(sessionQuery).data?.signIn
}

/** Asks the server again who is signed in; settles once the screens know. */
export function useRereadSession(): () => Promise<void> {
  const queryClient = useQueryClient()
  return useCallback(() => queryClient.refetchQueries({ queryKey: sessionQuery.queryKey }), [queryClient])
}

/**
 * For an account that is gone: the screens know at once, without asking, and nothing of it is shown or asked for on the way
 * that `goAway` takes.
 */
export function useEndSession(): (goAway: () => Promise<void>) => Promise<void> {
  const queryClient = useQueryClient()
  return async (goAway) => {
    const say = (user: null | undefined) =>
      queryClient.setQueryData(sessionQuery.queryKey, { user, signIn: undefined, from: 'server' })
    say(undefined)
    await goAway().finally(() => say(null))
  }
}

const sessionQuery = queryOptions<Reading>({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
  // Whoever the device knows sees at once what it keeps of theirs, while the server is asked whether they still may.
  initialData: () => {
    const user = rememberedAccount()
    return user ? { user, signIn: undefined, from: 'device' } : undefined
  },
  initialDataUpdatedAt: 0,
  staleTime: 60_000,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
  // Offline it has to run too, or a cold start would load for ever; the device's memory answers then.
  networkMode: 'always',
  refetchOnReconnect: 'always',
  refetchInterval: ({ state }) => (state.data && state.data.from !== 'server' ? 15_000 : false),
})

interface Reading {
  /** Undefined on the way out. */
  user: User | null | undefined
  signIn: string | undefined
  from: 'server' | 'device' | 'nowhere'
}

const answerSchema = z.nullable(z.object({ user: userSchema, session: z.object({ id: z.string() }) }))

/** Only `null` or a 401 from the server means signed out; without its word the last account on this device stands. */
async function readSession(signal: AbortSignal): Promise<Reading> {
  if (isSignOutPending()) return readSignOut()
  const remembered = rememberedAccount()
  // Someone the device knows should not wait long for a connection that hangs.
  const patience = AbortSignal.timeout(remembered ? 3_000 : 15_000)
  try {
    const response = await askForSession(AbortSignal.any([signal, patience]))
    if (response.status !== 401 && !response.ok) throw new Error(`get-session answered ${response.status}`)
    const session = response.status === 401 ? null : answerSchema.parse(await response.json())
    if (session) {
      keepAccount(session.user)
      settleEndedSignIn(session.user.id)
    } else await endSignIn(endingSchema.safeParse(response.headers.get(endingHeader)).data)
    return { user: session?.user ?? null, signIn: session?.session.id, from: 'server' }
  } catch (noAnswer) {
    signal.throwIfAborted()
    console.warn('The session could not be read', noAnswer)
    return { user: remembered, signIn: undefined, from: remembered ? 'device' : 'nowhere' }
  }
}

/** Signed out here without a connection: what the cookie says does not count, and nothing that was asked with it. */
async function readSignOut(): Promise<Reading> {
  globalThis.earlySession = null
  const from = (await finishSignOut()) ? 'server' : 'device'
  return { user: null, signIn: undefined, from }
}

/** Whoever signed out here is not remembered any more. Anybody else is told why they are signed out, on the way back in. */
async function endSignIn(why: Ending | undefined): Promise<void> {
  const user = rememberedAccount() ?? (why && unexplainedEnd())
  forgetAccount()
  if (!user) return
  keepEndedSignIn(user, why, Date.now())
  if (why !== 'account-deleted') return
  await forgetOnThisDevice(user)
}

declare global {
  /**
   * Begun by public/session.js in the pages of screens that need an account. Null from the first question of the app on:
   * what comes later must not be answered by what was true at the start.
   */
  var earlySession: Promise<Response> | null | undefined
}

function askForSession(signal: AbortSignal): Promise<Response> {
  const { earlySession } = globalThis
  globalThis.earlySession = null
  if (earlySession) return Promise.race([earlySession, whenAborted(signal)])
  return fetch('/api/auth/get-session', {
    headers: { accept: 'application/json' },
    cache: 'no-store',
    signal,
  })
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function rememberedAccount(): User | null {
  try {
    const kept = keptAccount()
    return kept === null ? null : userSchema.parse(JSON.parse(kept))
  } catch {
    return null
  }
}
