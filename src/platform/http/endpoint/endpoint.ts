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
   * For a GET that returns only the caller's own rows: what can change the response. It then carries an ETag, is cached,
   * and is not sent again to a client that already has it. One that can be long is `written`, page by page.
   */
  changesWith?: ChangesWith | ((query: Input['query']) => ChangesWith)
  /**
   * For a GET that returns the same to everyone for as long as the program runs: built for the first caller, and sent
   * with an ETag so that no client needs it twice.
   */
  fixed?: true
  /**
   * How much work it may cause, where the method does not say: a GET is heavy, so only a few per user run at a time;
   * everything else is light.
   */
  work?: 'light' | 'heavy'
  /** Its response has its own ETag, and may be `Unchanged`. */
  tagged?: true
  /** Error statuses besides those that follow from the rest of the description. */
  errors?: ErrorStatus[]
  respond(input: Input, c: HttpContext): Promise<Reply | Deferred>
  /** The same for calls that need only the user from the request, so that several can be made together. */
  respondPlain?(input: Input, user: string): Promise<Success | ErrorResponse>
}

/** What was sent, before it is validated against what the endpoint takes. */
export interface Input {
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
}

/** The user's writes, or also the current day: theirs, and the latest day anywhere. */
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
  /** Who is counted: the client's address when left out. By user only where signing in is required. */
  per?: 'user'
  /** Each process counts for itself; when left out, the database counts for all of them. */
  counted?: 'in memory'
  /** Admits callers it cannot count while nothing can be stored: for calls that only read. */
  letsInUncounted?: true
}

export type Taken = {
  params?: z.ZodMiniObject
  query?: z.ZodMiniObject
  body?: z.ZodMiniType
}

/** Bytes that are returned as they are, and their media type. */
export interface Media {
  mediaType: string
}

/** The body of each success, by status. */
export type Responses = { 200?: z.ZodMiniType | Media; 201?: z.ZodMiniType }
/** `text`: the body, if it is serialized already. */
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

/** A success whose JSON is too long to hold in memory: sent as it is written, while other requests are answered. */
export interface Written {
  written: AsyncIterable<string | Uint8Array>
  headers?: Record<string, string>
}

/** Several calls in one, each within its user's budget: made after the request itself has released its slot. */
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
}: Described<T, A, { user: string; c: HttpContext }, Written | Streamed | Unchanged | Deferred>): Endpoint {
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

// A path parameter names a resource, so an impossible one is not found; everything else is the caller's mistake.
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
