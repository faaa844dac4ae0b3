import type { OnResponse, ResponseReport } from '#platform/http/api/report-responses.ts'
import { Histogram } from './histogram.ts'
import type { Registry } from './registry.ts'

/** Methods counted by name. Strangers may invent other methods, and each would stay a separate metric forever. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

interface Count {
  count: number
}

interface RouteMetrics {
  /** The counts by method, then by status. */
  responses: Map<string, Map<number, Count>>
  durations: Histogram
}

/** Counts every response by the pattern of its route. The number of patterns is fixed, unlike that of paths. */
export function countRequests(registry: Registry, isStream: (route: string) => boolean): OnResponse {
  const routes = new Map<string, RouteMetrics>()
  registry.add({
    name: 'daymark_requests_total',
    help: 'Requests that the application answered, by the pattern of their path.',
    type: 'counter',
    read: () =>
      [...routes].flatMap(([route, { responses }]) =>
        [...responses].flatMap(([method, statuses]) =>
          [...statuses].map(([status, { count }]) => ({ labels: { method, route, status }, value: count })),
        ),
      ),
  })
  registry.add({
    name: 'daymark_request_seconds',
    help: 'Seconds from the head of a request to the last byte of its answer; streams and what the client cut off left out.',
    type: 'histogram',
    read: () =>
      [...routes].flatMap(([route, { durations }]) => (isStream(route) ? [] : durations.samples({ route }))),
  })
  return ({ method, route, status, ms, cut }: ResponseReport) => {
    const { responses, durations } = getOrCreate(routes, route, newRoute)
    const statuses = getOrCreate(responses, knownMethods.has(method) ? method : 'other', newStatuses)
    const counter = getOrCreate(statuses, status, newCount)
    counter.count += 1
    if (!cut) durations.observe(ms / 1000)
  }
}

const newRoute = (): RouteMetrics => ({ responses: new Map(), durations: new Histogram() })
const newStatuses = (): Map<number, Count> => new Map()
const newCount = (): Count => ({ count: 0 })

function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const made = make()
  map.set(key, made)
  return made
}
