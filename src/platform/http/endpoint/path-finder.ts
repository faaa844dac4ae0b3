import { decodedPart } from '../request/request-path.ts'
import type { Endpoint } from './endpoint.ts'

export interface FoundPath {
  endpoint: Endpoint
  params: Record<string, string>
}

const noParams = {}

/**
 * Finds the endpoint for a method and a path: an exact match, or else the first endpoint whose parameters fit. For a path
 * that exists only with other methods, `otherMethods` lists them in the format of the `Allow` header.
 */
export function pathFinder(endpoints: readonly Endpoint[]) {
  const exact = new Map<string, FoundPath>()
  const byLength = new Map<number, { endpoint: Endpoint; parts: string[] }[]>()
  for (const endpoint of endpoints) {
    const { method, path } = endpoint
    if (!path.includes('{')) exact.set(`${method} ${path}`, { endpoint, params: noParams })
    const parts = path.split('/')
    byLength.set(parts.length, [...(byLength.get(parts.length) ?? []), { endpoint, parts }])
  }
  const allowed = methodsByPath(endpoints)

  return {
    find(method: string, path: string): FoundPath | undefined {
      const found = exact.get(`${method} ${path}`)
      if (found) return found
      const requested = path.split('/')
      for (const { endpoint, parts } of byLength.get(requested.length) ?? []) {
        if (endpoint.method !== method) continue
        const params = paramsOf(parts, requested)
        if (params) return { endpoint, params }
      }
      return undefined
    },
    otherMethods(path: string): { route: string; allowed: string } | undefined {
      const requested = path.split('/')
      const candidates = byLength.get(requested.length) ?? []
      const fits = candidates.filter(({ parts }) => paramsOf(parts, requested) !== undefined)
      const { endpoint } = fits.find((each) => each.endpoint.path === path) ?? fits[0] ?? {}
      return endpoint && { route: endpoint.path, allowed: allowed.get(endpoint.path) ?? '' }
    },
  }
}

function paramsOf(
  parts: readonly string[],
  requested: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const value = requested[index] ?? ''
    if (!part.startsWith('{')) {
      if (part !== value) return undefined
    } else if (value === '') return undefined
    else params[part.slice(1, -1)] = decodedPart(value)
  }
  return params
}

function methodsByPath(endpoints: readonly Endpoint[]): Map<string, string> {
  const methods = new Map<string, string>()
  for (const { path, method } of endpoints) {
    const named = method === 'GET' ? 'GET, HEAD' : method
    methods.set(path, methods.has(path) ? `${methods.get(path)}, ${named}` : named)
  }
  return methods
}
