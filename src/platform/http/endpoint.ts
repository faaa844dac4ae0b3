import * as z from 'zod/mini'
import { discardBody, readJson, usualBodyLimit } from './body.ts'
import type { HttpContext } from './context.ts'
import { notFound, type Refusal, type RefusalStatus, refuse } from './refusal.ts'

// The small form of zod brings no words of its own, and some of what is refused is told in them.
z.config(z.locales.en())

/** One call of the wire: what it takes, what it answers, and who may make it. The document is made from it too. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters in braces, as `/api/todos/{id}`. */
  path: string
  summary: string
  access: 'anyone' | 'signed-in'
  limit?: Limit
  /** Bytes that the body may have; 64 KB when left out. Not for paths with parameters. */
  bodyLimit?: number
  takes: Taken
  answers: Answers
  /**
   * Of a GET that shows nothing but rows of whoever asks: what can change its answer. It is then sent with a tag, kept
   * ready for the next time, and not sent again to whoever has it. One that can be long is `written`, page by page.
   */
  changesWith?: ChangesWith
  /**
   * Of a GET that answers everybody the same for as long as the program runs: made for the first who asks, and sent with a
   * tag by which nobody has to be sent it twice.
   */
  fixed?: true
  /**
   * How much work it may be for the server, where that is not what its method says: a GET is heavy, so that only a few of a
   * user are answered at a time, and everything else is light.
   */
  work?: 'light' | 'heavy'
  /** Its answer has an ETag of its own, and may be `Unchanged`. */
  tagged?: true
  /** Failures besides those that follow from the rest of the description. */
  refusals?: RefusalStatus[]
  answer(c: HttpContext): Promise<Reply | Parted>
  /** What `answer` comes to once the request is read, for those that need nothing else of it: so the hot path asks. */
  answerPlain?(call: PlainCall): Promise<Success | Refusal>
}

/** A call by somebody who is known; what they sent is not yet held against what the endpoint takes. */
export interface PlainCall {
  user: string
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
}

/** The writes of the user; or also what day it is for them, or anywhere. */
export type ChangesWith = 'writes' | 'writes and days'

/** Whether a caller who has the answer may be told that it is unchanged, by a 304. */
export function mayBeUnchanged({ changesWith, fixed, tagged }: Endpoint): boolean {
  return changesWith !== undefined || fixed === true || tagged === true
}

/** How many of the calls that share the name are let in. */
export interface Limit {
  name: string
  max: number
  seconds: number
  /** Who is counted: the client by its address when left out. Users only where one has to be signed in. */
  per?: 'user'
  /** By each process for itself; in the database for all of them when left out. */
  kept?: 'in memory'
  /** Lets in whom it cannot count while nothing can be stored: for what only reads. */
  letsInUncounted?: true
}

export type Taken = { params?: z.ZodMiniObject; query?: z.ZodMiniObject; body?: z.ZodMiniType }

/** Bytes that are answered as they are, and what they are. */
export interface Media {
  mediaType: string
}

/** The body of each success, by its status. */
export type Answers = { 200?: z.ZodMiniType | Media; 201?: z.ZodMiniType }
export type Success = { status: 200 | 201; body: unknown; headers?: Record<string, string> }
export type Reply = Success | Written | Streamed | Unchanged | Refusal

/** A success whose JSON is too long to be held at once: sent as it is written, while other requests are answered. */
export interface Written {
  written: AsyncIterable<string>
  headers?: Record<string, string>
}

/** Several calls in one, each within what its user may cost: they are made when the request itself has left its place. */
export interface Parted {
  afterwards(): Promise<Success>
}

/** A success that goes on for as long as the connection holds, of the media type that is declared. */
export interface Streamed {
  stream: ReadableStream<Uint8Array>
  headers?: Record<string, string>
}

/** Whoever asks has the answer, by the tag that they name. */
export interface Unchanged {
  status: 304
  headers: Record<string, string>
}

type BodyOf<A> = A extends z.ZodMiniType ? z.input<A> : A extends Media ? Uint8Array<ArrayBuffer> : never

type Answered<A extends Answers> = {
  [Status in keyof A & (200 | 201)]: {
    status: Status
    body: BodyOf<A[Status]>
    headers?: Record<string, string>
  }
}[keyof A & (200 | 201)]

type Described<T extends Taken, A extends Answers, Call, Special = never> = Omit<
  Endpoint,
  'access' | 'answer' | 'answerPlain'
> & {
  takes: T
  answers: A
  handle(call: z.output<z.ZodMiniObject<T>> & Call): Promise<Answered<A> | Refusal | Special>
}

export function isHeavy({ method, work }: Pick<Endpoint, 'method' | 'work'>): boolean {
  return (work ?? (method === 'GET' ? 'heavy' : 'light')) === 'heavy'
}

/** A call that anyone may make. */
export function publicEndpoint<T extends Taken, A extends Answers>({
  handle,
  ...description
}: Described<T, A, { c: HttpContext }>): Endpoint {
  const parse = inputParser(description.takes)
  return {
    ...description,
    access: 'anyone',
    async answer(c) {
      const input = await readInput(c, description)
      if ('refusal' in input) return input.refusal
      const parsed = parse(input)
      return 'refusal' in parsed ? parsed.refusal : handle({ ...parsed.taken, c })
    },
  }
}

/** A call for signed-in people; `user` is their id. */
export function endpoint<T extends Taken, A extends Answers>({
  handle,
  ...description
}: Described<T, A, { user: string }>): Endpoint {
  const parse = inputParser(description.takes)
  async function answerPlain(call: PlainCall): Promise<Success | Refusal> {
    const parsed = parse(call)
    return 'refusal' in parsed ? parsed.refusal : handle({ ...parsed.taken, user: call.user })
  }
  return {
    ...description,
    access: 'signed-in',
    answerPlain,
    async answer(c) {
      const input = await readInput(c, description)
      return 'refusal' in input ? input.refusal : answerPlain({ ...input, user: c.get('user') })
    },
  }
}

/** One that needs more of the request than what it takes, or answers what is too long to be held at once. */
export function endpointWithContext<T extends Taken, A extends Answers>({
  handle,
  ...description
}: Described<T, A, { user: string; c: HttpContext }, Written | Streamed | Unchanged | Parted>): Endpoint {
  const parse = inputParser(description.takes)
  return {
    ...description,
    access: 'signed-in',
    async answer(c) {
      const input = await readInput(c, description)
      if ('refusal' in input) return input.refusal
      const parsed = parse(input)
      return 'refusal' in parsed ? parsed.refusal : handle({ ...parsed.taken, user: c.get('user'), c })
    },
  }
}

type Input = Omit<PlainCall, 'user'>

async function readInput(
  c: HttpContext,
  { takes, bodyLimit = usualBodyLimit }: Pick<Endpoint, 'takes' | 'bodyLimit'>,
): Promise<Input | { refusal: Refusal }> {
  const reading = takes.body ? await readJson(c, bodyLimit) : await discardBody(c)
  if ('refusal' in reading) return reading
  return { params: c.req.param(), query: c.req.query(), body: reading.value }
}

function inputParser<T extends Taken>(takes: T) {
  const schema = z.object(takes)
  return (input: Input): { taken: z.output<typeof schema> } | { refusal: Refusal } => {
    const parsed = schema.safeParse(input)
    return parsed.success ? { taken: parsed.data } : { refusal: refuseInput(parsed.error) }
  }
}

// A parameter stands for a thing, so one that cannot exist is not there; the rest is the caller's mistake.
function refuseInput(error: z.core.$ZodError): Refusal {
  if (error.issues.some((issue) => issue.path[0] === 'params')) return notFound
  const fields: Record<string, string> = {}
  for (const { path, message } of error.issues) {
    const field = path.slice(1).join('.')
    if (field !== '' && !Object.hasOwn(fields, field)) fields[field] = message
  }
  const message = error.issues[0]?.message ?? 'The input is not valid.'
  return refuse(400, 'INVALID_INPUT', message, { fields })
}
