import * as z from 'zod/mini'
import { instantTextSchema, longAgo } from '#platform/calendar/day.ts'
import { positionSchema } from '#platform/order/position.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import type { Fields } from '#platform/wire/synced-row.ts'
import { textSchema } from '#platform/wire/text.ts'

export const listNameSchema = textSchema('Name', 100)

/** The colours, in the order in which they are offered. */
export const listColors = [1, 2, 3, 4, 5, 6] as const
const listColorSchema = z.union(
  listColors.map((color) => z.literal(color)),
  'Expected a colour from 1 to 6',
)
export type ListColor = (typeof listColors)[number]

/** How to-dos can be sorted. */
export const todoSorts = ['manual', 'due', 'priority', 'newest'] as const
export const todoSortSchema = z.enum(todoSorts, 'Expected manual, due, priority or newest')
export type TodoSort = (typeof todoSorts)[number]

/** Every field of a list, in the order in which responses contain them. */
export const listRow = {
  id: { wire: z.string(), accepts: rowIdSchema },
  name: { wire: z.string(), accepts: listNameSchema, none: 'Untitled', changedAt: 'name_at', label: 'Name' },
  color: { wire: listColorSchema, initial: 1, changedAt: 'color_at', label: 'Colour' },
  /** The list's place among the person's lists. */
  position: {
    wire: z.string(),
    accepts: positionSchema,
    none: 'a0',
    changedAt: 'position_at',
    label: 'Place',
  },
  /** How the list's to-dos are sorted. */
  sort: { wire: todoSortSchema, initial: 'manual', changedAt: 'sort_at', label: 'Sort' },
  /** When the list was archived; null while it is in use. */
  archived_at: {
    wire: z.nullable(instantTextSchema),
    initial: null,
    stored: 'instant',
    changedAt: 'archive_changed_at',
    label: 'Archiving',
  },
  created_at: { wire: instantTextSchema, stored: 'instant', none: longAgo },
  updated_at: { wire: instantTextSchema, stored: 'instant', none: longAgo },
} as const satisfies Fields
