import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { isDeep } from '#testing/runs.ts'
import { type Application, openApplication } from '../testing/application.ts'
import { rowCalls } from '../testing/row-calls.ts'

const now = Date.parse('2026-11-20T09:00:00Z')
const usual = '2026-11-20T08:00:00.000Z'
const unusual = [
  '0000-01-01T00:00:00Z',
  '1899-12-31T23:59:59Z',
  '1969-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59.999Z',
  ...(isDeep ? ['0001-01-01T00:00:00Z', '1969-12-31T00:00:00Z', '1970-01-01T00:00:00Z'] : []),
]
/** In the first of these the year 0 begins in the year before, and 1970 on a day of 1969. */
const zones = ['America/Los_Angeles', ...(isDeep ? ['UTC', 'Pacific/Kiritimati'] : [])]

describeEachEngine('an instant', (openEmpty) => {
  it.each(zones)(
    'at an end of time, or finer than a millisecond, breaks no call that takes one, nor what reads it, in %s',
    async (time_zone) => {
      const daymark = openApplication(await openEmpty(), { clock: () => now })
      const { cookie } = await daymark.signUp('Ada')
      const ask: Ask = (method, path, body) => daymark.ask(method, path, { cookie, body })
      await ask('PATCH', '/api/preferences', { time_zone })
      const places = await instantsOf(ask)
      for (const path of ['/api/habits', '/api/import'])
        expect(places.map(({ path }) => path)).toContain(path)
      const broken: object[] = []
      for (const place of places) {
        for (const instant of [usual, ...unusual]) {
          const { method, path, body } = await requestWith(ask, place, instant)
          const { status, body: response } = await ask(method, path, body)
          // A usual one has to be taken: otherwise the others would be refused for another reason.
          if (status >= (instant === usual ? 300 : 500)) broken.push({ method, path, body, response })
          const together = (await ask('POST', '/api/changes', { rows: [[{ method, path, body }]] })).body
          if (together.rows?.[0][0].status >= 500) broken.push({ method, path, body, together })
        }
      }
      for (const path of reads) {
        const { status, body: response } = await ask('GET', path)
        if (status !== 200) broken.push({ path, response })
      }
      expect(broken).toEqual([])
    },
  )

  it('before 1970 makes a row of the first of 1970', async () => {
    const daymark = openApplication(await openEmpty(), { clock: () => now })
    const { cookie } = await daymark.signUp('Ada')
    for (const { path, added } of rowCalls) {
      for (const at of ['1900-01-01T00:00:00Z', '1969-12-31T00:00:00Z', '1970-01-01T00:00:00Z']) {
        const { status, body } = await daymark.ask('POST', path, { cookie, body: { ...added, at } })
        expect(status, path).toBe(201)
        const [row] = Object.values(body)
        // A session has no such instant.
        if (path !== '/api/focus') expect(row, path).toMatchObject({ created_at: '1970-01-01T00:00:00.000Z' })
      }
    }
  })

  it('before 1970 is that of a change which every later one replaces', async () => {
    const daymark = openApplication(await openEmpty(), { clock: () => now })
    const { cookie } = await daymark.signUp('Ada')
    const ask: Ask = (method, path, body) => daymark.ask(method, path, { cookie, body })
    const [first, second] = ['1969-12-31T23:59:59Z', '1970-01-01T00:00:01Z']
    const of = { name: 'Read', start_date: '2026-11-20', rhythm: { times: 2, per: 'week' } }
    const { habit } = (await ask('POST', '/api/habits', { ...of, at: first })).body
    expect(habit.rhythm).toEqual(of.rhythm)
    const path = `/api/habits/${habit.id}`
    const changed = { rhythm: { every: 2 }, from_day: of.start_date }
    expect((await ask('PUT', path, { ...changed, at: second })).body.habit.rhythm).toEqual(changed.rhythm)
    expect((await ask('PUT', path, { ...of, from_day: of.start_date, at: first })).body.habit.rhythm).toEqual(
      changed.rhythm,
    )
    const theme = async (theme: string, at: string) =>
      (await ask('PATCH', '/api/preferences', { theme, at })).body.preferences.theme
    expect(await theme('dark', first)).toBe('dark')
    expect(await theme('light', second)).toBe('light')
    expect(await theme('dark', first)).toBe('light')
  })
})

const november = 'from=2026-11-01&to=2026-11-30'
const reads = [
  ...rowCalls.map(({ path }) => path),
  ...['/api/todos/completed', '/api/tags', '/api/preferences', '/api/focus/timer', '/api/imports'],
  ...[`/api/habits/completed?${november}`, `/api/habits/due?${november}`, '/api/export'],
]

type Ask = (method: string, path: string, body?: unknown) => ReturnType<Application['ask']>

/** A place for an instant in a call. */
interface Place {
  method: string
  path: string
  /** What is sent with an instant there. */
  sent(instant: string): { query?: URLSearchParams; body?: unknown }
}

/** Every one that the API document names, so that those of a new call are tried as well. */
async function instantsOf(ask: Ask): Promise<Place[]> {
  const { paths } = documentSchema.parse((await ask('GET', '/api/openapi.json')).body)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([lowerCase, { parameters, requestBody }]) => {
      const method = lowerCase.toUpperCase()
      const inQuery = parameters.filter((each) => each.in === 'query')
      const needed = inQuery.flatMap(({ name, required, schema }) =>
        required ? [[name, String(sampleOf(schema))]] : [],
      )
      return [
        ...inQuery
          .filter(({ schema }) => placesIn(schema).length > 0)
          .map(({ name }) => (instant: string) => ({
            query: new URLSearchParams([...needed, [name, instant]]),
          })),
        ...placesIn(requestBody?.content['application/json'].schema).map((around) => (instant: string) => ({
          body: Object.assign({}, unsaid[`${method} ${path}`], around(instant)),
        })),
      ].map((sent) => ({ method, path, sent }))
    }),
  )
}

/** What calls and rows need beside an instant, and their schemas do not say. */
const unsaid: Record<string, object> = {
  ...Object.fromEntries(rowCalls.map(({ path, edited }) => [`PUT ${path}/{id}`, edited])),
  'PUT /api/todos/{id}/edit': { title: 'x' },
  'PUT /api/habits/{id}/days/{day}': { state: 'done' },
  'PUT /api/focus/{id}': { duration: 1 },
}
const samples: Record<string, unknown> = {
  position: 'a0',
  completed: 1,
  duration: 1,
  started_at: '2026-11-20T07:00:00.000Z',
  ended_at: '2026-11-20T08:30:00.000Z',
}
const repeating = {
  due_day: '2026-11-20',
  repeat: { freq: 'day', every: 1, mode: 'due', from: '2026-11-20' },
}

/** For each instant in what the schema allows, what has a given one there, and nothing else that can be left out. */
function placesIn(schema: JsonSchema | boolean | undefined): ((instant: string) => unknown)[] {
  if (typeof schema !== 'object') return []
  if (schema.format === 'date-time') return [(instant) => instant]
  const { anyOf = [], oneOf = [], items, properties = {} } = schema
  return [
    ...[...anyOf, ...oneOf].flatMap(placesIn),
    ...placesIn(items).map((around) => (instant: string) => [around(instant)]),
    ...Object.entries(properties).flatMap(([name, inside]) =>
      placesIn(inside).map((around) => (instant: string) => ({
        ...requiredOf(schema),
        [name]: around(instant),
      })),
    ),
  ]
}

function requiredOf({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, samples[name] ?? sampleOf(properties[name] ?? {})]))
}

/** Something that the schema allows; an id is another one each time. */
function sampleOf({ anyOf, oneOf, items, ...schema }: JsonSchema): unknown {
  const [option] = anyOf ?? oneOf ?? []
  if (option) return sampleOf(option)
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'object') return requiredOf(schema)
  if (schema.type === 'array') return schema.minItems && typeof items === 'object' ? [sampleOf(items)] : []
  if (schema.type === 'string') return textOf(schema)
  if (schema.type === 'boolean') return false
  return Math.max(1, schema.minimum ?? 1)
}

function textOf({ format, pattern }: JsonSchema): string {
  if (format === 'date-time') return usual
  if (format === 'date') return '2026-11-20'
  return pattern === undefined ? 'x' : newRowId(now, randomBytes(10))
}

/** The request with an instant in that place, about rows that were made for it. */
async function requestWith(ask: Ask, { method, path, sent }: Place, instant: string) {
  const { query, body } = sent(instant)
  const needs = (word: RegExp) => word.test(path) || word.test(JSON.stringify(body) ?? '')
  const add = async (path: string, row: object, isNeeded = true) =>
    isNeeded ? idOfAdded(ask, path, row) : ''
  const todo = await add('/api/todos', { title: 'x', ...repeating }, needs(/todos\/\{|todo_id/))
  const of = { name: 'x', start_date: '2026-11-20' }
  const habit = await add('/api/habits', of, needs(/habits\/\{|habit_id/))
  const entry = { day: '2026-11-20', value: 1 }
  const amount = await add(`/api/habits/${habit}/amounts`, entry, needs(/amountId/))
  const other = rowCalls.find((calls) => path.startsWith(`${calls.path}/{id}`))
  const ids: Record<string, string> = { '/api/todos': todo, '/api/habits': habit }
  const id = other && (ids[other.path] ?? (await add(other.path, other.added)))
  const named = { id, amountId: amount, day: '2026-11-20', tag: 'work' }
  const parents: Record<string, string> = { todo_id: todo, habit_id: habit }
  return {
    method,
    path: `${withNames(path, named)}${query ? `?${query}` : ''}`,
    body: body && JSON.parse(JSON.stringify(body), (name, value) => parents[name] ?? value),
  }
}

function withNames(path: string, named: Record<string, string | undefined>): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => named[name] ?? 'x')
}

async function idOfAdded(ask: Ask, path: string, row: object): Promise<string> {
  const { status, body } = await ask('POST', path, row)
  expect(status, JSON.stringify(body)).toBe(201)
  return z.tuple([z.object({ id: z.string() })], z.unknown()).parse(Object.values(body))[0].id
}

interface JsonSchema {
  type?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  format?: string
  pattern?: string
  minimum?: number
  minItems?: number
  items?: JsonSchema | boolean
  properties?: Record<string, JsonSchema>
  required?: string[]
}
const jsonSchema: z.ZodMiniType<JsonSchema> = z.lazy(() =>
  z.object({
    type: z.optional(z.unknown()),
    const: z.optional(z.unknown()),
    enum: z.optional(z.array(z.unknown())),
    anyOf: z.optional(z.array(jsonSchema)),
    oneOf: z.optional(z.array(jsonSchema)),
    format: z.optional(z.string()),
    pattern: z.optional(z.string()),
    minimum: z.optional(z.number()),
    minItems: z.optional(z.number()),
    items: z.optional(z.union([jsonSchema, z.boolean()])),
    properties: z.optional(z.record(z.string(), jsonSchema)),
    required: z.optional(z.array(z.string())),
  }),
)
const parameterSchema = z.object({
  in: z.string(),
  name: z.string(),
  required: z.boolean(),
  schema: jsonSchema,
})
const bodySchema = z.object({ content: z.object({ 'application/json': z.object({ schema: jsonSchema }) }) })
const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ parameters: z.array(parameterSchema), requestBody: z.optional(bodySchema) }),
    ),
  ),
})
