import * as z from 'zod/mini'
import { daySchema, instantTextSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { storedJson } from '#platform/wire/stored-json.ts'
import type { Columns, Fields } from '#platform/wire/synced-row.ts'

/** The ids of the adds that a set replaces. */
const idsSchema = z.array(z.string())

const storedSettles = {
  toColumns: (settles: readonly string[] | null) => ({
    settles: settles === null ? null : JSON.stringify(settles),
  }),
  fromColumns: ({ settles }: Columns) => storedJson(idsSchema, settles) ?? null,
}

const storedSet = {
  toColumns: (set: boolean) => ({ is_set: set ? 1 : 0 }),
  fromColumns: ({ is_set }: Columns) => is_set === 1,
}

/** Every field of an entry of an amount. None of them ever changes. */
export const amountRow = {
  id: { wire: z.string(), accepts: rowIdSchema },
  habit_id: { wire: z.string(), accepts: rowIdSchema },
  day: { wire: daySchema },
  value: { wire: z.int() },
  set: { wire: z.boolean(), stored: storedSet },
  settles: { wire: z.nullable(idsSchema), stored: storedSettles },
  created_at: { wire: instantTextSchema, stored: 'instant' },
} as const satisfies Fields
