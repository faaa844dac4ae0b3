import type { Endpoint } from './endpoint.ts'

export interface FoundPath {
  endpoint: Endpoint
  params: Record<string, string>
}

/** Nothing in it has to be decoded or put in order first, and no query follows. */
const simple = /^\/api(\/[\w-]+)+$/

/**
 * Finds the endpoint of a path that is simple, as the router of the long way finds that of any: the first of those that
 * fit. Undefined of every other path.
 */
export function pathFinder(endpoints: readonly Endpoint[]) {
  const byShape = new Map<string, { endpoint: Endpoint; parts: string[] }[]>()
  for (const endpoint of endpoints) {
    const parts = endpoint.path.split('/')
    const shape = shapeOf(endpoint.method, parts)
    byShape.set(shape, [...(byShape.get(shape) ?? []), { endpoint, parts }])
  }
  return (method: string, path: string): FoundPath | undefined => {
    if (!simple.test(path)) return undefined
    const asked = path.split('/')
    for (const { endpoint, parts } of byShape.get(shapeOf(method, asked)) ?? []) {
      const params = paramsOf(parts, asked)
      if (params) return { endpoint, params }
    }
    return undefined
  }
}

function shapeOf(method: string, parts: readonly string[]): string {
  return `${method} ${parts.length}`
}

function paramsOf(parts: readonly string[], asked: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [place, part] of parts.entries()) {
    const value = asked[place] ?? ''
    if (part.startsWith('{')) params[part.slice(1, -1)] = value
    else if (part !== value) return undefined
  }
  return params
}
