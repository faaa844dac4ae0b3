import type * as z from 'zod/mini'

// A page of this build goes on reading when a newer server answers forms that it does not know, and so does whoever reads a file of a
// newer build (`docs/decisions/0075-unknown-forms-read-as-none.md`).

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/**
 * What a form that is not known reads as, by list and field; that of a part of a field has a name such as 'rhythms.target'. An entry of
 * an array is left out, and so is a row with such a form of a field that is not here.
 */
export type Nones = Record<string, Record<string, unknown>>

/** What is known of a response, or of what a device stored of one. Throws if it is no such response. */
export function readKnown<Schema extends z.ZodMiniType>(
  schema: Schema,
  response: unknown,
  nones: Nones = {},
): z.output<Schema> {
  const read = knownForms(schema, response, nones)
  if ('error' in read) throw read.error
  return read.data
}

/**
 * What is known of a value, and where forms were not. `isForm`: whether an issue is about a form at all, with the value that it is
 * about.
 */
export function knownForms<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  nones: Nones,
  {
    isForm = () => true,
    ...params
  }: z.core.ParseContext<Issue> & { isForm?: (issue: Issue, value: unknown) => boolean } = {},
): { data: z.output<Schema>; unknown: readonly Path[] } | { error: z.core.$ZodError } {
  const unknown: Path[] = []
  let known = value
  for (let round = 0; ; round++) {
    const { data, error } = schema.safeParse(known, params)
    if (!error) return { data, unknown }
    if (round === 0) known = structuredClone(value)
    const forms = error.issues.filter((issue) => round > 0 || isForm(issue, at(known, issue.path)))
    const rowOf = ({ path }: Issue) => at(known, path.slice(0, 2))
    const rows = new Set(forms.map(rowOf))
    // Beside an unknown form a row may seem wrong in other ways.
    if (error.issues.some((issue) => !rows.has(rowOf(issue)))) return { error }
    const leftOut = new Map<unknown[], Set<unknown>>()
    for (const { path } of forms) {
      // What is still wrong without its unknown forms is left out: the field, and then the row.
      const place = forget(known, path.slice(0, round === 0 ? undefined : 4 - round), nones, leftOut)
      if (!place || round === mostRounds) return { error }
      unknown.push(place)
    }
    for (const [array, entries] of leftOut) {
      const kept = array.filter((entry) => !entries.has(entry))
      array.length = kept.length
      for (const [nth, entry] of kept.entries()) array[nth] = entry
    }
  }
}

const mostRounds = 3

/** Makes an unknown form what it reads as, or marks the entry that it is in to be left out. Answers where, unless it cannot. */
function forget(
  known: unknown,
  path: Path,
  nones: Nones,
  leftOut: Map<unknown[], Set<unknown>>,
): Path | undefined {
  const noneOf = nones[String(path[0])] ?? {}
  for (let length = path.length; length > 1; length--) {
    const place = path.slice(0, length)
    const [key = ''] = place.slice(-1)
    const holder = at(known, place.slice(0, -1))
    const name = place
      .slice(1)
      .filter((step) => typeof step === 'string')
      .join('.')
    if (Array.isArray(holder)) {
      const entries = leftOut.get(holder) ?? new Set()
      leftOut.set(holder, entries.add(at(known, place)))
      return place
    }
    if (typeof holder === 'object' && holder && name in noneOf) {
      Object.assign(holder, { [key]: noneOf[name] })
      return place
    }
  }
  return undefined
}

function at(value: unknown, [step, ...path]: Path): unknown {
  if (step === undefined) return value
  return typeof value === 'object' && value ? at(Reflect.get(value, step), path) : undefined
}
