import { expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { openApplication } from '../testing/application.ts'

// The shape of OpenAPI 3.1, as far as the document uses it; anything else is refused.
const reference = z.strictObject({ $ref: z.string().check(z.startsWith('#/components/')) })
const typeName = z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const jsonSchema: z.ZodMiniType = z.lazy(() =>
  z.union([
    reference,
    z.strictObject({
      type: z.optional(z.union([typeName, z.array(typeName).check(z.minLength(1))])),
      properties: z.optional(z.record(z.string(), jsonSchema)),
      required: z.optional(z.array(z.string())),
      additionalProperties: z.optional(z.union([z.boolean(), jsonSchema])),
      propertyNames: z.optional(jsonSchema),
      prefixItems: z.optional(z.array(jsonSchema).check(z.minLength(1))),
      items: z.optional(z.union([z.boolean(), jsonSchema])),
      minItems: z.optional(z.int().check(z.nonnegative())),
      maxItems: z.optional(z.int().check(z.nonnegative())),
      anyOf: z.optional(z.array(jsonSchema).check(z.minLength(1))),
      oneOf: z.optional(z.array(jsonSchema).check(z.minLength(1))),
      const: z.optional(z.unknown()),
      default: z.optional(z.unknown()),
      format: z.optional(z.string()),
      pattern: z.optional(z.string().check(z.refine((text) => new RegExp(text, 'u')))),
      minLength: z.optional(z.int().check(z.nonnegative())),
      maxLength: z.optional(z.int().check(z.nonnegative())),
      minimum: z.optional(z.number()),
      maximum: z.optional(z.number()),
      enum: z.optional(z.array(z.unknown()).check(z.minLength(1))),
    }),
  ]),
)
const content = z.strictObject({ 'application/json': z.strictObject({ schema: jsonSchema }) })
const bytes = z.union([
  z.strictObject({ 'image/webp': z.strictObject({}) }),
  z.strictObject({ 'text/event-stream': z.strictObject({}) }),
])
const operation = z.strictObject({
  summary: z.string().check(z.minLength(1)),
  security: z.array(z.strictObject({ signInSession: z.tuple([]) })),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      in: z.enum(['path', 'query', 'header']),
      required: z.boolean(),
      schema: jsonSchema,
    }),
  ),
  requestBody: z.optional(z.strictObject({ required: z.boolean(), content })),
  responses: z.record(
    z.string().check(z.regex(/^[2-5]\d\d$/)),
    z.union([
      z.strictObject({ description: z.string().check(z.minLength(1)), content: z.union([content, bytes]) }),
      // A 304 has no content.
      z.strictObject({ description: z.string().check(z.regex(/If-None-Match/)) }),
    ]),
  ),
})
const documentSchema = z.strictObject({
  openapi: z.string().check(z.regex(/^3\.1\.\d+$/)),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(
    z.string().check(z.startsWith('/api/')),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation),
  ),
  components: z.strictObject({
    schemas: z.record(z.string(), jsonSchema),
    securitySchemes: z.record(
      z.string(),
      z.strictObject({
        type: z.literal('apiKey'),
        in: z.literal('cookie'),
        name: z.string(),
        description: z.string(),
      }),
    ),
  }),
})

describeEachEngine('the API document', (openEmpty) => {
  const read = async () => {
    const daymark = openApplication(await openEmpty(), { smtpUrl: 'smtp://127.0.0.1:1' })
    const { body } = await daymark.ask('GET', '/api/openapi.json')
    return { daymark, document: documentSchema.parse(body) }
  }

  it('has the shape of OpenAPI 3.1', async () => {
    const { document } = await read()
    expect(Object.keys(document.paths).length).toBeGreaterThan(0)
  })

  it('is built once, however often it is requested, and has the same bytes for everybody', async () => {
    const daymark = openApplication(await openEmpty())
    const itself = daymark.endpoints.find(({ path }) => path === '/api/openapi.json')
    if (!itself) throw new Error('There is no such call')
    const making = vi.spyOn(itself, 'respond')
    const maren = await daymark.signUp('Maren')
    const first = await daymark.ask('GET', '/api/openapi.json')
    const second = await daymark.ask('GET', '/api/openapi.json', { cookie: maren.cookie, from: '192.0.2.2' })
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.bytes).toEqual(first.bytes)
    expect(first.headers.get('content-length')).toBe(String(first.bytes.length))
    expect(making).toHaveBeenCalledTimes(1)
  })

  it('is not sent again to a client that has it, and gets a new tag only if its content changes', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database)
    const { headers } = await daymark.ask('GET', '/api/openapi.json')
    const tag = headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]+"$/)
    const again = await daymark.ask('GET', '/api/openapi.json', { headers: { 'if-none-match': tag } })
    expect(again.status).toBe(304)
    expect(again.bytes.length).toBe(0)
    expect(again.headers.get('etag')).toBe(tag)
    // Anybody may cache it, but must revalidate: an update may have changed it.
    for (const each of [headers, again.headers]) expect(each.get('cache-control')).toBe('public, no-cache')

    const asked = { headers: { 'if-none-match': tag } }
    const restarted = openApplication(database, { build: 'another build' })
    expect((await restarted.ask('GET', '/api/openapi.json', asked)).status).toBe(304)
    const withMail = openApplication(database, { smtpUrl: 'smtp://127.0.0.1:1' })
    expect((await withMail.ask('GET', '/api/openapi.json', asked)).status).toBe(200)
  })

  it('lists every call that the server routes, and no other', async () => {
    const { daymark, document } = await read()
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const routed = daymark.endpoints.map(({ method, path }) => `${method} ${path}`)
    expect(documented.sort()).toEqual(routed.sort())
  })

  it('lists each parameter of a path, and refers to nothing that does not exist', async () => {
    const { document } = await read()
    for (const [path, methods] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters } of Object.values(methods)) {
        expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(inPath)
      }
    }
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    expect(references.length).toBeGreaterThan(0)
    for (const [, name] of references) expect(Object.keys(document.components.schemas)).toContain(name)
  })

  it('describes a new to-do as it is validated', async () => {
    const { document } = await read()
    expect(document.paths['/api/todos']?.post?.requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: {
            properties: { title: { type: 'string', minLength: 1, maxLength: 500 } },
            required: ['title'],
          },
        },
      },
    })
  })

  it('describes a new focus session as it is validated', async () => {
    const { document } = await read()
    expect(document.paths['/api/focus']?.post?.requestBody).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: {
              duration: { type: 'integer', minimum: 1, maximum: 86_400 },
              started_at: { type: 'string', format: 'date-time' },
              days: {
                type: 'array',
                minItems: 1,
                maxItems: 366,
                items: { properties: { seconds: { type: 'integer', minimum: 1 } } },
              },
            },
            required: ['duration'],
          },
        },
      },
    })
  })

  it('describes the preferences as they are validated', async () => {
    const { document } = await read()
    expect(document.paths['/api/preferences']?.patch?.requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: {
            properties: {
              time_zone: { type: 'string' },
              day_start: { type: 'integer', minimum: 0, maximum: 360 },
              week_start: { type: 'integer', minimum: 1, maximum: 7 },
              theme: { enum: ['system', 'light', 'dark'] },
              todos_sort: { enum: ['manual', 'due', 'priority', 'newest'] },
              start_page: { enum: ['todos', 'today'] },
              focus_plan: {
                properties: {
                  focus: { type: 'integer', minimum: 1, maximum: 240 },
                  break: { type: 'integer', minimum: 1, maximum: 120 },
                  long_break: { type: 'integer', minimum: 1, maximum: 120 },
                  every: { type: 'integer', minimum: 1, maximum: 12 },
                  auto_start: { type: 'boolean' },
                },
              },
            },
          },
        },
      },
    })
  })

  it('describes a profile as it is validated, and a picture as something other than JSON', async () => {
    const { document } = await read()
    expect(document.paths['/api/auth/update-user']?.post?.requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: { properties: { name: { minLength: 3, maxLength: 30 }, image: expect.anything() } },
        },
      },
    })
    expect(document.paths['/api/pictures/{id}']?.get?.responses).toMatchObject({
      200: { content: { 'image/webp': {} } },
      404: { content: { 'application/json': expect.anything() } },
    })
    expect(Object.keys(document.paths['/api/auth/change-password']?.post?.responses ?? {})).toContain('429')
  })

  it('describes an export and a piece of an import as they are validated', async () => {
    const { document } = await read()
    expect(document.paths['/api/export']?.get?.responses[200]).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: {
              format: { const: 'daymark' },
              version: { const: 2 },
              habits: { items: { properties: { completions: { items: { format: 'date' } } } } },
            },
          },
        },
      },
    })
    expect(document.paths['/api/import']?.post?.requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: {
            properties: {
              todos: {
                items: { properties: { title: { maxLength: 500 }, created_at: { format: 'date-time' } } },
              },
              completions: { items: { required: ['habit_id', 'days'] } },
            },
            additionalProperties: false,
          },
        },
      },
    })
  })

  it('describes reminders and subscriptions as they are validated', async () => {
    const { document } = await read()
    const reminder = {
      anyOf: [
        {
          properties: {
            time: { type: 'integer', minimum: 0, maximum: 1439 },
            weekdays: { type: 'array', minItems: 1, items: { enum: [1, 2, 3, 4, 5, 6, 7] } },
          },
        },
        { type: 'null' },
      ],
    }
    for (const call of [document.paths['/api/habits']?.post, document.paths['/api/habits/{id}']?.put]) {
      expect(call?.requestBody?.content['application/json'].schema).toMatchObject({
        properties: { reminder },
      })
    }
    expect(document.paths['/api/reminders/devices']?.put?.requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': {
          schema: {
            properties: {
              endpoint: { type: 'string', maxLength: 2_000 },
              keys: { required: ['p256dh', 'auth'] },
            },
          },
        },
      },
    })
    const later = document.paths['/api/reminders/{kind}/{id}/later']?.post
    expect(later?.parameters.map(({ name }) => name)).toEqual(['kind', 'id'])
    expect(later?.requestBody).toMatchObject({ required: false })
  })

  it('describes what is sent: days as text, a completion without a body, a required range', async () => {
    const { document } = await read()
    expect(document.paths['/api/habits']?.post).toMatchObject({
      requestBody: {
        content: {
          'application/json': {
            schema: {
              properties: { start_date: { type: 'string', format: 'date' } },
              required: ['name', 'start_date'],
            },
          },
        },
      },
      responses: {
        201: {
          content: {
            'application/json': {
              schema: { properties: { habit: { properties: { recent: { items: { format: 'date' } } } } } },
            },
          },
        },
      },
    })
    expect(document.paths['/api/habits/{id}/complete']?.post?.requestBody).toMatchObject({ required: false })
    const ofTakingBack = document.paths['/api/habits/{id}/completions']?.delete?.parameters
    expect(ofTakingBack?.map(({ name, required }) => [name, required])).toEqual([
      ['id', true],
      ['from', true],
      ['to', true],
      ['at', false],
    ])
  })
})
