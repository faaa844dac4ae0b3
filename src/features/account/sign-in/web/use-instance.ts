import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Instance, instanceSchema } from '../instance.ts'

/** What this server offers; `undefined` while loading, `null` if it could not be read. */
export function useInstance(): Instance | null | undefined {
  const { data, isPending } = useQuery(instanceQuery)
  return isPending ? undefined : (data ?? null)
}

const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: async ({ signal }) => {
    const timeout = AbortSignal.timeout(15_000)
    const response = await fetch('/api/instance', {
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([signal, timeout]),
    })
    if (!response.ok) throw new Error(`instance answered ${response.status}`)
    return instanceSchema.parse(await response.json())
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  // The query has to fail offline, or a page that waits for it would load forever.
  networkMode: 'always',
})
