import type { Generated } from 'kysely'

/** A column that a new row may leave out, because the table has a default for it. */
export type Defaulted<Value> = Generated<Value>
