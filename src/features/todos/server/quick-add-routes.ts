import type { Preferences } from '#features/preferences/preferences.ts'
import { dayOf, type Instant } from '#platform/calendar/day.ts'
import { type Endpoint, endpoint } from '#platform/http/endpoint/endpoint.ts'
import { english } from '#platform/language/english.ts'
import { quickAddRequestSchema, quickAddResponseSchema } from '../quick-add/reading/quick-add-call.ts'
import { readQuickAdd } from '../quick-add/reading/read-quick-add.ts'

interface Parts {
  clock: () => Instant
  preferencesOf(user: string): Promise<Preferences>
  /** The lists that a to-do can be put into, in the user's order. */
  listsOf(user: string): Promise<{ id: string; name: string }[]>
}

/**
 * The endpoint that reads a text as quick add does. It writes nothing, so clients cannot queue it or send it together with
 * writes.
 */
export function quickAddEndpoint({ clock, preferencesOf, listsOf }: Parts): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/api/todos/parse',
    summary:
      'Read what a text says about a to-do, as quick add does: date, time, repeat, list, tags and priority. Nothing is written',
    takes: { body: quickAddRequestSchema },
    responses: { 200: quickAddResponseSchema },
    async handle({ user, body: { text, day } }) {
      const { time_zone, day_start, week_start } = await preferencesOf(user)
      const { list, ...read } = readQuickAdd(text, {
        today: day ?? dayOf(clock(), time_zone, day_start),
        weekStart: week_start,
        numberOrder: 'day first',
        language: english,
        lists: await listsOf(user),
        refused: [],
      })
      return {
        status: 200,
        body: { ...read, list: list && { id: list.ids[0] ?? null, name: list.name } },
      }
    },
  })
}
