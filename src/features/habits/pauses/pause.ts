import * as z from 'zod/mini'
import { nonesOf, wireShape } from '#platform/wire/synced-row.ts'
import { pauseRow } from './pause-row.ts'

/** Days on which a habit, or all habits, are not due, as sent to devices. */
export const pauseSchema = z.object(wireShape(pauseRow))
export type PauseRow = z.infer<typeof pauseSchema>

/** Fallbacks for values in a format that this build does not know. */
export const pauseNones = nonesOf(pauseRow)

export const pauseCollectionSchema = z.object({ pauses: z.array(pauseSchema) })
