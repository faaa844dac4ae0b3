import type { Answered, OnAnswered } from '#platform/http/answered.ts'
import { Histogram } from './histogram.ts'
import type { Registry } from './registry.ts'

/** Whatever else a stranger makes up: each would be a figure of its own for ever. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

interface Count {
  count: number
}

interface OfRoute {
  /** By method, then status. */
  answers: Map<string, Map<number, Count>>
  took: Histogram
}

/** Counts every answer by the pattern of its route, of which there are as many as the program has. */
export function countRequests(registry: Registry, isStream: (route: string) => boolean): OnAnswered {
  const routes = new Map<string, OfRoute>()
  registry.add({
    name: 'daymark_requests_total',
    help: 'Requests that the application answered, by the pattern of their path.',
    type: 'counter',
    read: () =>
      [...routes].flatMap(([route, { answers }]) =>
        [...answers].flatMap(([method, statuses]) =>
          [...statuses].map(([status, { count }]) => ({ labels: { method, route, status }, value: count })),
        ),
      ),
  })
  registry.add({
    name: 'daymark_request_seconds',
    help: 'Seconds from the head of a request to the last byte of its answer; streams and what the client cut off left out.',
    type: 'histogram',
    read: () => [...routes].flatMap(([route, { took }]) => (isStream(route) ? [] : took.samples({ route }))),
  })
  return ({ method, route, status, ms, cut }: Answered) => {
    const { answers, took } = ofKey(routes, route, newRoute)
    const statuses = ofKey(answers, knownMethods.has(method) ? method : 'other', newStatuses)
    const counted = ofKey(statuses, status, newCount)
    counted.count += 1
    if (!cut) took.observe(ms / 1000)
  }
}

const newRoute = (): OfRoute => ({ answers: new Map(), took: new Histogram() })
const newStatuses = (): Map<number, Count> => new Map()
const newCount = (): Count => ({ count: 0 })

function ofKey<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
