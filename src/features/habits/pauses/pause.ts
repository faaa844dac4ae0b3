import * as z from 'zod/mini'
import { nonesOf, wireShape } from '#platform/wire/synced-row.ts'
import { pauseRow } from './pause-row.ts'

/** Days on which a habit, or all of them, is not due, as it is sent. */
export const pauseSchema = z.object(wireShape(pauseRow))
export type PauseRow = z.infer<typeof pauseSchema>

/** What of a pause reads as what, where a form is not known. */
export const pauseNones = nonesOf(pauseRow)

export const pauseListSchema = z.object({ pauses: z.array(pauseSchema) })
