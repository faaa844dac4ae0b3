import * as z from 'zod/mini'
import { nonesOf, wireShape } from '#platform/wire/synced-row.ts'
import { listRow } from './list-row.ts'

/** A person's own place for to-dos, such as Home or Work, as it is sent. */
export const listSchema = z.object(wireShape(listRow))
export type List = z.infer<typeof listSchema>

/** What of a list reads as what, where a form is not known. */
export const listNones = nonesOf(listRow)

export const allListsSchema = z.object({ lists: z.array(listSchema) })
