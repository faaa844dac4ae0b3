import * as z from 'zod/mini'
import { changeInstantSchema, type Instant } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { notFound } from './error-response.ts'
import { instantOf } from './when.ts'

// What the calls on a single row share, whatever the collection.

/** The row's id in the path. */
export const rowParams = z.object({ id: rowIdSchema })

/** For calls without a body: when the change was made; now when left out. */
export const changeQuery = z.object({ at: z.optional(changeInstantSchema) })

export const doneSchema = z.object({ success: z.literal(true) })
export const done = { status: 200, body: { success: true } } as const

/** How rows of one kind are deleted and restored. */
interface Deletion<Shown extends z.ZodMiniType> {
  /** Such as '/api/todos'. */
  path: string
  /** Such as 'a to-do'. */
  one: string
  /** What is restored with it. */
  along?: string
  clock: () => Instant
  /** The schema of a restored row in the response. */
  shown: Shown
  /** False when there is nothing to delete. */
  remove(user: string, id: string, at: Instant): Promise<boolean>
  /** Undefined when nothing was restored. */
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
      answers: { 200: doneSchema },
      async handle({ user, params, query }) {
        return (await remove(user, params.id, instantOf(query.at, clock()))) ? done : notFound
      },
    }),
    endpoint({
      method: 'POST',
      path: `${path}/{id}/restore`,
      summary: `Take the deletion of ${one} back${along === undefined ? '' : `, ${along}`}`,
      takes: { params: rowParams, query: changeQuery },
      answers: { 200: shown },
      async handle({ user, params, query }) {
        const body = await restore(user, params.id, instantOf(query.at, clock()))
        return body === undefined ? notFound : { status: 200, body }
      },
    }),
  ]
}
