import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint.ts'
import { notFound } from '#platform/http/error-response.ts'
import { deletionEndpoints, rowParams } from '#platform/http/row-calls.ts'
import { refuseTooManyRows } from '#platform/http/too-many-rows.ts'
import { instantOf, madeAt } from '#platform/http/when.ts'
import { writeList } from '#platform/http/written.ts'
import { allListsSchema, listSchema } from '../list.ts'
import { listEditSchema, newListSchema } from '../list-requests.ts'
import { addList, changeList, deleteList, listLists, restoreList } from './list-store.ts'

const oneListSchema = z.object({ list: listSchema })

/** The endpoints of the lists. `clock` returns the time. */
export function listEndpoints({ database, clock }: { database: Database; clock: () => Instant }): Endpoint[] {
  return [
    endpointWithContext({
      method: 'GET',
      path: '/api/lists',
      summary: 'Every list, by its position and then its id, with the archived ones',
      changesWith: 'writes',
      takes: {},
      answers: { 200: allListsSchema },
      async handle({ user }) {
        return { written: writeList('lists', listLists(database, user)) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/lists',
      summary: 'Add a list; the same id again answers 200 and what is stored',
      takes: { body: newListSchema },
      answers: { 200: oneListSchema, 201: oneListSchema },
      errors: [404, 422],
      async handle({ user, body: { id = randomUUIDv7(), at, ...fields } }) {
        const added = await addList(database, user, id, { ...fields, at: instantOf(at, clock()) })
        if (added === 'deleted') return notFound
        if (added instanceof TooManyRows) return refuseTooManyRows(added)
        return { status: added.created ? 201 : 200, body: { list: added.list } }
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/lists/{id}',
      summary: 'Rename, colour, move, sort or archive a list; null takes it out of the archive',
      takes: { params: rowParams, body: listEditSchema },
      answers: { 200: oneListSchema },
      async handle({ user, params, body }) {
        const list = await changeList(database, user, params.id, { ...body, ...madeAt(body.at, clock()) })
        return list ? { status: 200, body: { list } } : notFound
      },
    }),
    ...deletionEndpoints({
      path: '/api/lists',
      one: 'a list',
      clock,
      shown: oneListSchema,
      remove: (user, id, at) => deleteList(database, user, id, at),
      async restore(user, id, at) {
        const list = await restoreList(database, user, id, at)
        return list && { list }
      },
    }),
  ]
}
