import type { ApiRequest } from '../network/request.ts'

/**
 * Whether the request `later` sets the same part of the same row as `before`. The later change that the server reports may then
 * be that request itself, if the server handled it but its response was lost. Days and tags count as parts of a row.
 */
export function saysAnew(later: ApiRequest, before: ApiRequest, part: string): boolean {
  const [said, saidBefore] = [fieldsOf(later), fieldsOf(before)]
  if (part === 'deleted') {
    const isSame = thingOf(later).startsWith(thingOf(before))
    return isSame && (later.method !== 'DELETE' || before.method !== 'DELETE')
  }
  // The day in the request is the day of the completion, so it is not compared.
  if (part === 'completed') return part in said
  if (part === 'tags') return later.path === before.path && areNamedIn(said.tags, saidBefore.tags)
  const [days, daysBefore] = [daysOf(later), daysOf(before)]
  // Several kinds of requests set the state of days.
  if (part === 'state') {
    const isState = 'state' in said || 'completed' in said || later.method === 'DELETE'
    return isState && days.from <= daysBefore.from && days.to >= daysBefore.to
  }
  const isSaid = part === 'amount' ? said.set === true : part in said
  return isSaid && days.from === daysBefore.from && days.to === daysBefore.to
}

/** The path of the row that a request deletes, restores or changes. */
function thingOf({ path }: ApiRequest): string {
  return path.replace(/(\/restore)?(\?.*)?$/, '')
}

/** The days that a request is about; empty if it is about the whole row. */
function daysOf(request: ApiRequest): { from: string; to: string } {
  const said = fieldsOf(request)
  const ruled = 'rhythm' in said || 'target' in said ? said.from_day : undefined
  const named = said.day ?? said.date ?? said.occurrence ?? ruled
  const [from = '', to = from] =
    typeof named === 'string'
      ? [named]
      : (request.path.replace(/\bat=[^&]*/, '').match(/\d{4}-\d\d-\d\d/g) ?? [])
  return { from, to }
}

/** Whether an edit of tags names every tag that an earlier edit names. */
function areNamedIn(tags: unknown, before: unknown): boolean {
  const names = (edit: unknown): unknown[] =>
    Array.isArray(edit) ? edit : Object.values(Object(edit)).flatMap((each) => names(each))
  const named = new Set(names(tags))
  return Array.isArray(tags) || names(before).every((tag) => named.has(tag))
}

function fieldsOf({ body }: ApiRequest): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {}
}
