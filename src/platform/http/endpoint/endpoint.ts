import * as z from 'zod/mini'
import type { HttpContext } from '../request/context.ts'
import { type ErrorResponse, type ErrorStatus, errorResponse, notFound } from '../request/error-response.ts'

// zod/mini has no messages of its own, and some error responses show them.
z.config(z.locales.en())

/** One API call: what it takes, what it returns and who may make it. The OpenAPI document is generated from it too. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters in braces, as in `/api/todos/{id}`. */
  path: string
  summary: string
  access: 'anyone' | 'signed-in'
  limit?: Limit
  /** The largest body in bytes; 64 KB when left out. Not for paths with parameters. */
  bodyLimit?: number
  takes: Taken
  responses: Responses
  /**
   * For a GET that returns only the caller's own rows: what can change the response. The response then carries an ETag, is
   * cached, and is not sent again to a client that already has it. A response that can be long is `written`, page by page.
   */
  changesWith?: ChangesWith | ((query: Input['query']) => ChangesWith)
  /**
   * For a collection that is read by revision: its name in writes. A client that names the ETag of what it has in `since` is sent
   * the rows that have changed, if the server knows them: the endpoint then finds them in `c.changed`, and responds with
   * `changedSince` of `http/responses/written.ts`.
   */
  byRevision?: string
  /**
   * Of a collection that is read by revision and has short rows: the path and query with which devices read it. An event carries
   * what has changed of it.
   */
  carriedAs?: string
  /**
   * For a GET whose response is the same for everyone while the program runs. The response is built for the first caller, and
   * sent with an ETag so that no client downloads it twice.
   */
  fixed?: true
  /**
   * How much work a call may cause. Unless set, a GET is heavy, so only a few per user run at a time, and every other method
   * is light.
   */
  work?: 'light' | 'heavy'
  /** The handler sets its own ETag, and may return `Unchanged`. */
  tagged?: true
  /** Error statuses that do not already follow from the other fields of this endpoint. */
  errors?: ErrorStatus[]
  respond(input: Input, c: HttpContext): Promise<Reply | Deferred>
  /** Handles the call for callers that know only the user, so that several calls can be made together. */
  respondPlain?(input: Input, user: string): Promise<Success | ErrorResponse>
}

/** The input as sent, before validation against what the endpoint takes. */
export interface Input {
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
}

/** What changes a response: the user's writes, or also the current day (the user's day, and the latest day anywhere). */
export type ChangesWith = 'writes' | 'writes and days'

/** Whether a client that already has the response may get a 304. */
export function mayBeUnchanged({ changesWith, fixed, tagged }: Endpoint): boolean {
  return changesWith !== undefined || fixed === true || tagged === true
}

/** How many calls with the same name are admitted. */
export interface Limit {
  name: string
  max: number
  seconds: number
  /** Calls are counted per address when left out. 'user' counts them per user, only where signing in is required. */
  per?: 'user'
  /** Counts in each process separately. When left out, the database counts for all processes. */
  counted?: 'in memory'
  /** Admits uncounted callers while the database cannot store anything; for calls that only read. */
  letsInUncounted?: true
}

export type Taken = {
  params?: z.ZodMiniObject
  query?: z.ZodMiniObject
  body?: z.ZodMiniType
}

/** A response body of raw bytes, with its media type. */
export interface Media {
  mediaType: string
}

/** The body of each success, by status. */
export type Responses = { 200?: z.ZodMiniType | Media; 201?: z.ZodMiniType }
/** A successful response. `text` is the body if it is already serialized. */
export type Success = {
  status: 200 | 201
  body: unknown
  headers?: Record<string, string>
  text?: string | undefined
}
export type Reply = Success | Encoded | Written | Streamed | Unchanged | ErrorResponse

/** A success that is already serialized to JSON, and compressed if its headers say so. */
export interface Encoded {
  status: 200
  json: Buffer<ArrayBuffer>
  headers: Record<string, string>
}

/**
 * A success whose JSON is too long to hold in memory. It is sent while it is written, and other requests are handled
 * meanwhile.
 */
export interface Written {
  written: AsyncIterable<string | Uint8Array>
  headers?: Record<string, string>
}

/** The rows of a collection that have changed since the client read it. */
export interface PartOfCollection {
  status: 200
  /** `left`: the ids of rows that are not in the collection any more. */
  body: { since: string; left: readonly string[]; [name: string]: unknown }
}

/**
 * Several calls in one request, each charged to the user's budget. They run after the request has released its slot, since each
 * of them takes one.
 */
export interface Deferred {
  afterwards(): Promise<Written | ErrorResponse>
}

/** A success that lasts as long as the connection does, in the declared media type. */
export interface Streamed {
  stream: ReadableStream<Uint8Array>
  headers?: Record<string, string>
}

/** The client already has the response, according to the ETag it sent. */
export interface Unchanged {
  status: 304
  headers: Record<string, string>
}

type BodyOf<A> = A extends z.ZodMiniType ? z.input<A> : A extends Media ? Uint8Array<ArrayBuffer> : never

type DeclaredResponse<A extends Responses> = {
  [Status in keyof A & (200 | 201)]: {
    status: Status
    body: BodyOf<A[Status]>
    headers?: Record<string, string>
  }
}[keyof A & (200 | 201)]

type Described<T extends Taken, A extends Responses, Call, Special = never> = Omit<
  Endpoint,
  'access' | 'respond' | 'respondPlain'
> & {
  takes: T
  responses: A
  handle(call: z.output<z.ZodMiniObject<T>> & Call): Promise<DeclaredResponse<A> | ErrorResponse | Special>
}

export function isHeavy({ method, work }: Pick<Endpoint, 'method' | 'work'>): boolean {
  return (work ?? (method === 'GET' ? 'heavy' : 'light')) === 'heavy'
}

/** A call that anyone may make. */
export function publicEndpoint<T extends Taken, A extends Responses>({
  handle,
  ...description
}: Described<T, A, { c: HttpContext }>): Endpoint {
  const parse = inputParser(description.takes)
  return {
    ...description,
    access: 'anyone',
    async respond(input, c) {
      const parsed = parse(input)
      return 'error' in parsed ? parsed.error : handle({ ...parsed.taken, c })
    },
  }
}

/** A call for signed-in users; `user` is their id. */
export function endpoint<T extends Taken, A extends Responses>({
  handle,
  ...description
}: Described<T, A, { user: string }>): Endpoint {
  const parse = inputParser(description.takes)
  async function respondPlain(input: Input, user: string): Promise<Success | ErrorResponse> {
    const parsed = parse(input)
    return 'error' in parsed ? parsed.error : handle({ ...parsed.taken, user })
  }
  return {
    ...description,
    access: 'signed-in',
    respondPlain,
    respond: (input, { user }) => respondPlain(input, user),
  }
}

/** A call that needs more of the request than its input, or whose response is too long to hold in memory. */
export function endpointWithContext<T extends Taken, A extends Responses>({
  handle,
  ...description
}: Described<
  T,
  A,
  { user: string; c: HttpContext },
  Written | PartOfCollection | Streamed | Unchanged | Deferred
>): Endpoint {
  const parse = inputParser(description.takes)
  return {
    ...description,
    access: 'signed-in',
    async respond(input, c) {
      const parsed = parse(input)
      return 'error' in parsed ? parsed.error : handle({ ...parsed.taken, user: c.user, c })
    },
  }
}

function inputParser<T extends Taken>(takes: T) {
  const schema = z.object(takes)
  return (input: Input): { taken: z.output<typeof schema> } | { error: ErrorResponse } => {
    const parsed = schema.safeParse(input)
    return parsed.success ? { taken: parsed.data } : { error: refuseInput(parsed.error) }
  }
}

// A path parameter names a resource, so an impossible value means that it is not found. Any other invalid input is the caller's
// mistake.
function refuseInput(error: z.core.$ZodError): ErrorResponse {
  if (error.issues.some((issue) => issue.path[0] === 'params')) return notFound
  const fields: Record<string, string> = {}
  for (const { path, message } of error.issues) {
    const field = path.slice(1).join('.')
    if (field !== '' && !Object.hasOwn(fields, field)) fields[field] = message
  }
  const message = error.issues[0]?.message ?? 'The input is not valid.'
  return errorResponse(400, 'INVALID_INPUT', message, { fields })
}
