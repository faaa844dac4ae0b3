import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import { changeInstantSchema, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import type { RowStore } from '#platform/database/rows/row-store.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { type Endpoint, endpoint, endpointWithContext } from '../endpoint/endpoint.ts'
import { type ErrorResponse, notFound } from '../request/error-response.ts'
import { changedSince, writeCollection } from '../responses/written.ts'
import { refuseTooManyRows } from './too-many-rows.ts'
import { instantOf, madeAt } from './when.ts'

// The parts that calls on rows of all kinds share.

/** The row's id in the path. */
export const rowParams = z.object({ id: rowIdSchema })

/** The query of calls without a body: when the change was made; the current time when left out. */
export const changeQuery = z.object({ at: z.optional(changeInstantSchema) })

export const doneSchema = z.object({ success: z.literal(true) })
export const done = { status: 200, body: { success: true } } as const

/** The response to a call that adds a row. Repeating the call with the same id returns the stored row. */
export async function addedResponse<Added extends { created: boolean }, Body>(
  added: Added | 'deleted' | TooManyRows | undefined,
  bodyOf: (added: Added) => Body | Promise<Body>,
): Promise<{ status: 200 | 201; body: Body } | ErrorResponse> {
  if (added === undefined || added === 'deleted') return notFound
  if (added instanceof TooManyRows) return refuseTooManyRows(added)
  return { status: added.created ? 201 : 200, body: await bodyOf(added) }
}

/** The response to a call that changes a row: not found if there is no such row, or it was deleted later. */
export async function changedResponse<Row extends object, Body>(
  row: Row | TooManyRows | undefined,
  bodyOf: (row: Row) => Body | Promise<Body>,
): Promise<{ status: 200; body: Body } | ErrorResponse> {
  if (row === undefined) return notFound
  if (row instanceof TooManyRows) return refuseTooManyRows(row)
  return { status: 200, body: await bodyOf(row) }
}

/** How rows of one kind are deleted and restored. */
interface Deletion<Shown extends z.ZodMiniType> {
  /** The path of the rows, such as '/api/todos'. */
  path: string
  /** The row's name in texts, such as 'a to-do'. */
  one: string
  /** In words, what else is restored with the row. */
  along?: string
  clock: () => Instant
  /** The schema of a restored row in the response. */
  shown: Shown
  /** Resolves with false when there is nothing to delete. */
  remove(user: string, id: string, at: Instant): Promise<boolean>
  /** Resolves with undefined when nothing was restored. */
  restore(user: string, id: string, at: Instant): Promise<z.input<Shown> | undefined>
}

export function deletionEndpoints<Shown extends z.ZodMiniType>({
  path,
  one,
  along,
  clock,
  remove,
  restore,
  ...declared
}: Deletion<Shown>): Endpoint[] {
  const shown: z.ZodMiniType = declared.shown
  return [
    endpoint({
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: `Delete ${one}; it can be taken back for 30 days`,
      takes: { params: rowParams, query: changeQuery },
      responses: { 200: doneSchema },
      async handle({ user, params, query }) {
        return (await remove(user, params.id, instantOf(query.at, clock()))) ? done : notFound
      },
    }),
    endpoint({
      method: 'POST',
      path: `${path}/{id}/restore`,
      summary: `Take the deletion of ${one} back${along === undefined ? '' : `, ${along}`}`,
      takes: { params: rowParams, query: changeQuery },
      responses: { 200: shown },
      async handle({ user, params, query }) {
        const body = await restore(user, params.id, instantOf(query.at, clock()))
        return body === undefined ? notFound : { status: 200, body }
      },
    }),
  ]
}

interface Crud<New, Edit, Shown extends { id: string }> {
  /** The path of the rows, such as '/api/lists'. */
  path: string
  /** The singular noun, which is also the row's name in a response. */
  one: string
  /** The plural noun, such as 'lists'. */
  many: string
  summaries: { list: string; add: string; change: string }
  /** A row in a response. */
  shown: z.ZodMiniType<unknown, Shown>
  /** The fields of a request that adds a row, and of one that edits a row. */
  added: z.ZodMiniType<New & { id?: string | undefined; at?: Instant | undefined }>
  edited: z.ZodMiniType<Edit & { at?: Instant | undefined }>
  store: RowStore<New, Edit, Shown>
  database: Database
  clock: () => Instant
}

/** The calls that list, add, change, delete and restore rows of a kind. */
export function crudEndpoints<New, Edit, Shown extends { id: string }>({
  path,
  one,
  many,
  summaries,
  shown,
  added,
  edited,
  store,
  database,
  clock,
}: Crud<New, Edit, Shown>): Endpoint[] {
  const oneSchema = z.object({ [one]: shown })
  return [
    endpointWithContext({
      method: 'GET',
      path,
      summary: summaries.list,
      changesWith: 'writes',
      byRevision: path.slice('/api/'.length),
      carriedAs: path,
      takes: {},
      responses: { 200: z.object({ [many]: z.array(shown) }) },
      async handle({ user, c: { changed } }) {
        if (changed) {
          return changedSince(many, { ...changed, rows: await store.among(database, user, changed.ids) })
        }
        return { written: writeCollection(many, store.list(database, user)) }
      },
    }),
    endpoint({
      method: 'POST',
      path,
      summary: summaries.add,
      takes: { body: added },
      responses: { 200: oneSchema, 201: oneSchema },
      errors: [404, 422],
      async handle({ user, body }) {
        const { id = randomUUIDv7() } = body
        const stored = await store.add(database, user, id, { ...body, at: instantOf(body.at, clock()) })
        return addedResponse(stored, ({ row }) => ({ [one]: row }))
      },
    }),
    endpoint({
      method: 'PUT',
      path: `${path}/{id}`,
      summary: summaries.change,
      takes: { params: rowParams, body: edited },
      responses: { 200: oneSchema },
      async handle({ user, params, body }) {
        const edit = { ...body, ...madeAt(body.at, clock()) }
        return changedResponse(await store.change(database, user, params.id, edit), (row) => ({ [one]: row }))
      },
    }),
    ...deletionEndpoints({
      path,
      one: `a ${one}`,
      clock,
      shown: oneSchema,
      remove: (user, id, at) => store.remove(database, user, id, at),
      async restore(user, id, at) {
        const row = await store.restore(database, user, id, at)
        return row === undefined ? undefined : { [one]: row }
      },
    }),
  ]
}
