import type { HttpHandler, HttpRequest, HttpResponse } from './context.ts'

/** The client's side of a request that has no socket. */
export interface Caller {
  address?: string
  cut?: () => void
}

/** Sends requests to the handler within this process, without a socket. The returned function is called like `fetch`. */
export function inProcess(respond: HttpHandler) {
  return async (path: string, init?: RequestInit, caller: Caller = {}): Promise<Response> => {
    const request = new Request(`http://localhost${path}`, init)
    return toFetch(await respond(fromFetch(request, caller)), request.method)
  }
}

function fromFetch(
  { method, url, headers, body }: Request,
  { address = '', cut = () => {} }: Caller,
): HttpRequest {
  return {
    method,
    target: url.slice('http://localhost'.length),
    address,
    outgoing: undefined,
    cut,
    header: (name) => headers.get(name) ?? undefined,
    async readBody(limit) {
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of body ?? []) {
        size += chunk.byteLength
        if (size > limit) return 'too large'
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    },
  }
}

function toFetch({ status, headers, body }: HttpResponse, method: string): Response {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value].flat()) sent.append(name, each)
  }
  if (method !== 'HEAD') return new Response(body ?? null, { status, headers: sent })
  if (body instanceof ReadableStream) void body.cancel()
  return new Response(null, { status, headers: sent })
}
