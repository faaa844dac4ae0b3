import type { Reader } from './reading.ts'

/** Every source that can be read, in the order in which they are asked whether they recognise a file. */
export const readers: readonly Reader[] = []
