import * as z from 'zod/mini'
import { failureSchema } from '#platform/wire/failure.ts'
import { type Endpoint, type Media, mayBeUnchanged } from './endpoint.ts'

const meanings: Record<number, string> = {
  200: 'Done',
  201: 'Created',
  304: 'As it was when it had the ETag that If-None-Match names',
  400: 'Invalid or malformed',
  401: 'Not signed in',
  403: 'Not allowed, such as a write from a page of another address',
  404: "Not there, or someone else's",
  409: 'Not as things stand; the message says what would have to change first',
  413: 'Larger than this call may be',
  415: 'Not JSON',
  422: 'Understood, but not possible',
  429: 'Too many requests; Retry-After says how many seconds to wait',
  500: 'A mistake of the server; the message carries the id of the request',
  503: 'Not ready at the moment; try again later',
}

/** The OpenAPI 3.1 document, generated from the same schemas that validate the calls. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Daymark', version, description: 'To-dos, habits and focus time of signed-in people.' },
    paths,
    components: {
      schemas: { Failure: schemaOf(failureSchema) },
      securitySchemes: {
        signInSession: {
          type: 'apiKey',
          in: 'cookie',
          name: 'daymark.session_token',
          description: 'Set by signing in or up. Named __Host-daymark.session_token over https.',
        },
      },
    },
  }
}

/** What a collection that is read by revision takes besides, and what its response has if the client named what it has. */
const sinceQuery = z.object({ since: z.optional(z.string()) })
const changedSchema = z.object({ since: z.string(), left: z.array(z.string()) })
const partMeaning =
  'Done; with the ETag of an earlier response in `since`, perhaps only the rows that have changed, and in `left` the ids of those that are gone'

function operation(endpoint: Endpoint) {
  const { params, query, body } = endpoint.takes
  const byRevision = endpoint.byRevision !== undefined
  return {
    summary: endpoint.summary,
    security: endpoint.access === 'signed-in' ? [{ signInSession: [] }] : [],
    parameters: [
      ...parameters('path', params),
      ...parameters('query', query),
      ...parameters('query', byRevision ? sinceQuery : undefined),
    ],
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { 'application/json': { schema: schemaOf(body) } },
      },
    }),
    responses: Object.fromEntries([
      ...Object.entries(responsesOf(endpoint)).map(([status, schema]) => [
        status,
        {
          description: byRevision ? partMeaning : meanings[Number(status)],
          content: contentOf(schema),
        },
      ]),
      ...(mayBeUnchanged(endpoint) ? [[304, { description: meanings[304] }]] : []),
      ...failureStatuses(endpoint).map((status) => [
        status,
        {
          description: meanings[status],
          content: jsonOf({ $ref: '#/components/schemas/Failure' }),
        },
      ]),
    ]),
  }
}

function parameters(place: 'path' | 'query', schema: z.ZodMiniObject | undefined) {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field, undefined).success,
    schema: schemaOf(field),
  }))
}

/** The body of each success: of a collection that is read by revision also what has changed of it. */
export function responsesOf({ responses, byRevision }: Endpoint): Endpoint['responses'] {
  const { 200: whole } = responses
  if (byRevision === undefined || whole === undefined || 'mediaType' in whole) return responses
  return { ...responses, 200: z.union([z.intersection(whole, changedSchema), whole]) }
}

/** Every error status that the endpoint may return. */
export function failureStatuses(endpoint: Endpoint): number[] {
  const { params, query, body } = endpoint.takes
  const statuses = new Set<number>([413, 500, 503, ...(endpoint.errors ?? [])])
  if (endpoint.access === 'signed-in') statuses.add(401).add(429)
  // 400: a body that did not arrive in full, even where none is expected.
  if (endpoint.method !== 'GET') statuses.add(400).add(403)
  if (params) statuses.add(404)
  if (query) statuses.add(400)
  if (body) statuses.add(400).add(415)
  if (endpoint.limit) statuses.add(429)
  return [...statuses].sort()
}

function contentOf(response: z.ZodMiniType | Media) {
  return 'mediaType' in response ? { [response.mediaType]: {} } : jsonOf(schemaOf(response))
}

function jsonOf(schema: object) {
  return { 'application/json': { schema } }
}

// OpenAPI 3.1 schemas are plain JSON Schema 2020-12. The document describes what is on the wire, in both directions: the input of
// a schema's transforms, not the values that the program works with.
function schemaOf(schema: z.core.$ZodType) {
  const { $schema, ...described } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' })
  return described
}
