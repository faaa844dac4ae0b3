import * as z from 'zod/mini'
import { nonesOf, wireShape } from '#platform/wire/synced-row.ts'
import { listRow } from './list-row.ts'

/** A person's own place for to-dos, such as Home or Work, as responses contain it. */
export const listSchema = z.object(wireShape(listRow))
export type List = z.infer<typeof listSchema>

/** The values to use for fields that a newer version of Daymark wrote and this version does not understand. */
export const listNones = nonesOf(listRow)

export const allListsSchema = z.object({ lists: z.array(listSchema) })
