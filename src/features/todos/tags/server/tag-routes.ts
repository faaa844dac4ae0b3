import * as z from 'zod/mini'
import { tagCountsSchema, tagSchema } from '#features/todos/todo/tags.ts'
import { tagRenamingSchema } from '#features/todos/todo/todo-requests.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import { type Endpoint, endpoint } from '#platform/http/endpoint/endpoint.ts'
import type { ErrorResponse } from '#platform/http/request/error-response.ts'
import { changeQuery, done, doneSchema } from '#platform/http/row-calls/row-calls.ts'
import { refuseTooManyRows } from '#platform/http/row-calls/too-many-rows.ts'
import { instantOf } from '#platform/http/row-calls/when.ts'
import { tagCounts } from './tag-count-store.ts'
import { changeTagEverywhere } from './todo-tag-store.ts'

const tagParams = z.object({ tag: tagSchema })

/** The endpoints for tags. `clock` returns the current instant. */
export function tagEndpoints({ database, clock }: { database: Database; clock: () => Instant }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/tags',
      summary: 'Every tag in use, and on how many to-dos it is, open and done',
      changesWith: 'writes',
      takes: {},
      responses: { 200: tagCountsSchema },
      async handle({ user }) {
        return { status: 200, body: { tags: await tagCounts(database, user) } }
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/tags/{tag}',
      summary: 'Rename a tag on every to-do that has it, also where it was added earlier but arrives later',
      takes: { params: tagParams, body: tagRenamingSchema },
      responses: { 200: doneSchema },
      errors: [422],
      work: 'heavy',
      async handle({ user, params: { tag }, body }) {
        const at = instantOf(body.at, clock())
        return respond(await changeTagEverywhere(database, user, { tag, renamed_to: body.tag, at }))
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/tags/{tag}',
      summary: 'Remove a tag from every to-do that has it, also where it was added earlier but arrives later',
      takes: { params: tagParams, query: changeQuery },
      responses: { 200: doneSchema },
      errors: [422],
      work: 'heavy',
      async handle({ user, params: { tag }, query }) {
        const at = instantOf(query.at, clock())
        return respond(await changeTagEverywhere(database, user, { tag, renamed_to: null, at }))
      },
    }),
  ]
}

function respond(refused: TooManyRows | undefined): typeof done | ErrorResponse {
  return refused ? refuseTooManyRows(refused) : done
}
