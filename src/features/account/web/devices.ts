import { useQuery, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import { type DeviceWords, deviceInWords } from '#platform/devices/device-in-words.ts'
import { type Trouble, Troubled, troubleWithoutFailure } from '#platform/sync/trouble.ts'
import { useTrouble } from '#platform/sync/use-trouble.ts'
import type { User } from '../account.ts'
import { useRereadSession } from './session.ts'

/** A signed-in browser. */
export interface Device extends DeviceWords {
  id: string
  token: string
  /** To the hour. */
  lastUse: Instant
  isThisOne: boolean
}

interface Devices {
  /** This one first, then the last used. Undefined while they are not known. */
  devices: Device[] | undefined
  readAt: Instant
  status: 'loading' | 'ready' | 'failed'
  /** Why it failed, also while it is tried again. */
  trouble: Trouble | undefined
  reread(): Promise<void>
}

/** Read anew by every screen that shows them: they are changed elsewhere too. */
export function useDevices(user: User): Devices {
  const rereadSession = useRereadSession()
  const { data, dataUpdatedAt, error, isFetching } = useQuery({
    queryKey: devicesKey(user),
    queryFn: async ({ signal }) => {
      const devices = await readDevices(user.id, signal)
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
  // An older reading may show a device that is signed out by now.
  const devices = error ? undefined : data
  const status = devices ? 'ready' : error && !isFetching ? 'failed' : 'loading'
  const trouble = useTrouble(error, devices !== undefined)
  return { devices, readAt: dataUpdatedAt, status, trouble, reread }
}

/** Settles once the screens know. */
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

/** Undefined when this one is signed out itself. */
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
        ...deviceInWords(userAgent),
        id,
        token,
        lastUse: updatedAt,
        isThisOne: token === thisOne.session.token,
      }))
      .sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne) || b.lastUse - a.lastUse)
  } catch (failure) {
    signal.throwIfAborted()
    console.warn('The signed-in devices could not be read', failure)
    throw failure
  }
}

/** Null when the server says that nobody is signed in, or somebody else in another tab. */
async function get(path: string, account: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(path, {
    headers: { accept: 'application/json', 'x-daymark-user': account },
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
  }).catch((failure) => {
    throw new Troubled(`${path} got no answer: ${failure}`, troubleWithoutFailure())
  })
  if (response.status === 401) return null
  if (!response.ok)
    throw new Troubled(`${path} answered ${response.status}`, troubleWithoutFailure(response.status))
  return response.json()
}
