import { useQuery, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { User } from '#features/account/session/user.ts'
import { useRereadSession } from '#features/account/session/web/session.ts'
import { duringActivity } from '#platform/browser/activity.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { type DeviceDescription, formatDevice } from '#platform/format/format-device.ts'
import {
  problemWithoutResponse,
  type RequestProblem,
  RequestProblemError,
} from '#platform/sync/network/request-problem.ts'
import { useRequestProblem } from '#platform/sync/react/use-request-problem.ts'

/** A browser that is signed in to the account. */
export interface Device extends DeviceDescription {
  id: string
  token: string
  /** When the device was last used; recorded at most once an hour. */
  lastUse: Instant
  isThisOne: boolean
}

interface Devices {
  /** This device first, the others by last use. Undefined until they have been read. */
  devices: Device[] | undefined
  readAt: Instant
  status: 'loading' | 'ready' | 'failed'
  /** Why reading the devices failed; kept during a retry. */
  problem: RequestProblem | undefined
  reread(): Promise<void>
}

/** Reads the account's devices again for every screen that shows them, because sign-ins and sign-outs elsewhere change them. */
export function useDevices(user: User): Devices {
  const rereadSession = useRereadSession()
  const { data, dataUpdatedAt, error, isFetching } = useQuery({
    queryKey: devicesKey(user),
    queryFn: async ({ signal }) => {
      const devices = await duringActivity(readDevices(user.id, signal))
      if (devices) return devices
      void rereadSession()
      throw new Error('Nobody is signed in here any more')
    },
    gcTime: 0,
    staleTime: 0,
    retry: false,
    networkMode: 'always',
  })
  const reread = useRereadDevices(user)
  // Do not show older devices after an error: some may have been signed out since.
  const devices = error ? undefined : data
  const status = devices ? 'ready' : error && !isFetching ? 'failed' : 'loading'
  const problem = useRequestProblem(error, devices !== undefined)
  return { devices, readAt: dataUpdatedAt, status, problem, reread }
}

/** Returns a function that reads the devices again and resolves when the screens are up to date. */
export function useRereadDevices(user: User): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.refetchQueries({ queryKey: devicesKey(user) })
}

const devicesKey = (user: User) => ['devices', user.id]

const ownSchema = z.nullable(z.object({ session: z.object({ token: z.string() }) }))
const listSchema = z.array(
  z.object({
    id: z.string(),
    token: z.string(),
    userAgent: z.nullish(z.string()),
    updatedAt: z.pipe(
      z.iso.datetime(),
      z.transform((text): Instant => Date.parse(text)),
    ),
  }),
)

/** Reads the devices. Undefined if this browser itself is signed out. */
async function readDevices(account: string, signal: AbortSignal): Promise<Device[] | undefined> {
  try {
    const [own, list] = await Promise.all([
      get('/api/auth/get-session', account, signal),
      get('/api/auth/list-sessions', account, signal),
    ])
    const thisOne = ownSchema.parse(own)
    if (!thisOne || !list) return undefined
    return listSchema
      .parse(list)
      .map(({ id, token, userAgent, updatedAt }) => ({
        ...formatDevice(userAgent),
        id,
        token,
        lastUse: updatedAt,
        isThisOne: token === thisOne.session.token,
      }))
      .sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne) || b.lastUse - a.lastUse)
  } catch (error) {
    signal.throwIfAborted()
    console.warn('The signed-in devices could not be read', error)
    throw error
  }
}

/** Null if the server says that nobody is signed in here, or that another tab has signed in somebody else. */
async function get(path: string, account: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(path, {
    headers: { accept: 'application/json', 'x-daymark-user': account },
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
  }).catch((failure) => {
    throw new RequestProblemError(`${path} got no answer: ${failure}`, problemWithoutResponse())
  })
  if (response.status === 401) return null
  if (!response.ok)
    throw new RequestProblemError(
      `${path} answered ${response.status}`,
      problemWithoutResponse(response.status),
    )
  return response.json()
}
