import type * as z from 'zod/mini'

// A newer server or a file of a newer build may hold values in a form that this build does not know. Such values are replaced or
// left out, so that the rest can still be read (`docs/decisions/0075-unknown-forms-read-as-none.md`).

export type Issue = z.core.$ZodIssue
export type Path = readonly PropertyKey[]

/**
 * Replacements for values of an unknown form, by collection and field. A part of a field has a name such as 'rhythms.target'. An
 * unknown entry of an array is left out, and so is a row that cannot be read without an unknown value.
 */
export type Nones = Record<string, Record<string, unknown>>

interface Reading {
  context?: z.core.ParseContext<Issue>
  /**
   * Picks the issues of a row that come from unknown forms, or returns an issue that has another cause. If left out, all issues
   * count as unknown forms.
   */
  formsOf?(issues: readonly Issue[], valueAt: (path: Path) => unknown): readonly Issue[] | Issue
  /** Called for each place where a value had an unknown form. */
  onUnknown?(place: Path): void
}

/**
 * Reads the parts of a response that this build knows; the response may come from this device's store. Throws if the value is not
 * such a response.
 */
export function readKnown<Schema extends z.ZodMiniType>(
  schema: Schema,
  response: unknown,
  nones: Nones = {},
): z.output<Schema> {
  const read = knownForms(schema, response, nones)
  if ('data' in read) return read.data
  throw new Error(`Unknown form: ${read.issue.message}`)
}

/** Reads the parts of any value that this build knows. Returns an issue if that is impossible. */
export function knownForms<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  nones: Nones,
  reading: Reading = {},
): { data: z.output<Schema> } | { issue: Issue } {
  try {
    const { data, error } = schema.safeParse(value, reading.context)
    if (!error) return { data }
  } catch {
    // zod throws if a collection has too many issues, such as a hundred thousand. Each row is then read alone.
  }
  const whole: Record<string, unknown> = Object(value)
  const collections = Object.keys(whole).filter((collection) => Array.isArray(whole[collection]))
  const others = { ...whole }
  for (const collection of collections) others[collection] = []
  const read = mended(schema, collections.length > 0 ? others : value, nones, reading)
  if ('issue' in read) return read
  const data = Object(read.data)
  for (const collection of collections) {
    const rows: unknown[] = []
    for (const [nth, row] of [whole[collection]].flat().entries()) {
      const inWhole = ([, , ...path]: Path) => [collection, nth, ...path]
      const one = mended(schema, { ...Object(read.known), [collection]: [row] }, nones, {
        ...reading,
        onUnknown: (place) => reading.onUnknown?.(inWhole(place)),
      })
      if ('issue' in one) return { issue: { ...one.issue, path: inWhole(one.issue.path) } }
      rows.push(...Object(one.data)[collection])
    }
    data[collection] = rows
  }
  return { data }
}

/** Reads one row, or everything besides the rows, with unknown forms replaced or left out. */
function mended<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  nones: Nones,
  { context, formsOf, onUnknown }: Reading,
): { data: z.output<Schema>; known: unknown } | { issue: Issue } {
  let known = value
  for (let round = 0; ; round++) {
    const { data, error } = schema.safeParse(known, context)
    if (!error) return { data, known }
    const found = round === 0 && formsOf ? formsOf(error.issues, (path) => at(known, path)) : error.issues
    if ('code' in found) return { issue: found }
    if (round === 0) known = structuredClone(value)
    const shortened = new Set<unknown[]>()
    for (const issue of found) {
      // Each round leaves out more: first the unknown value, then its field, then the row.
      const place =
        round < 3 && forget(known, issue.path.slice(0, [undefined, 3, 2][round]), nones, shortened)
      if (!place) return { issue }
      onUnknown?.(place)
    }
    for (const array of shortened) {
      const kept = array.filter((entry) => entry !== leftOut)
      array.length = kept.length
      for (const [nth, entry] of kept.entries()) array[nth] = entry
    }
  }
}

const leftOut = Symbol()

/**
 * Replaces the unknown value at a path, or marks the array entry that contains it as left out. Returns the place that changed;
 * undefined if neither is possible.
 */
function forget(known: unknown, path: Path, nones: Nones, shortened: Set<unknown[]>): Path | undefined {
  const noneOf = nones[String(path[0])] ?? {}
  for (let length = path.length; length > 1; length--) {
    const place = path.slice(0, length)
    const key = Number(place.at(-1))
    const holder = at(known, place.slice(0, -1))
    if (Array.isArray(holder)) {
      holder[key] = leftOut
      shortened.add(holder)
      return place
    }
    const fields = place.slice(1).filter((step) => typeof step === 'string')
    if (typeof holder === 'object' && holder && Object.hasOwn(noneOf, fields.join('.'))) {
      Object.assign(holder, { [fields.at(-1) ?? '']: noneOf[fields.join('.')] })
      return place
    }
  }
  return undefined
}

function at(value: unknown, [step, ...path]: Path): unknown {
  if (step === undefined) return value
  return typeof value === 'object' && value ? at(Reflect.get(value, step), path) : undefined
}
