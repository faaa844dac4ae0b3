import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileTypeOf } from '#platform/wire/file-type.ts'
import { pageFileAt } from '#platform/wire/page-file.ts'
import type { HttpContext, HttpHeaders, HttpResponse } from '../request/context.ts'
import { errorResponse, inJson, notFound } from '../request/error-response.ts'
import { takes, variesByEncoding } from './compressed.ts'
import { hasTag } from './response-cache.ts'

interface WebFile {
  bytes: Buffer<ArrayBuffer>
  type: string
  tag: string
  caching: string
  /** The compressed bytes; undefined for files that compression does not shrink. */
  compressed: Record<Encoding, Buffer<ArrayBuffer>> | undefined
}
/** Encodings in order of preference. */
const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

/** The built web app by URL path. All files are in memory: they are few, and only files in this map can be requested. */
export type WebFiles = ReadonlyMap<string, WebFile>

/** Returns undefined when there is no build at `directory`. */
export async function readWebFiles(directory: string): Promise<WebFiles | undefined> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const read = new Map<string, Buffer<ArrayBuffer>>()
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name)
    read.set(`/${relative(directory, file).split(sep).join('/')}`, await readFile(file))
  }
  const files = new Map<string, WebFile>()
  for (const [path, bytes] of read) {
    // The build writes compressed files beside the originals (scripts/web/compress-ahead.mjs); they have no URLs of their own.
    if (/\.(br|gz)$/.test(path)) continue
    const br = read.get(`${path}.br`)
    const gzip = read.get(`${path}.gz`)
    files.set(path, {
      bytes,
      type: fileTypeOf(path),
      tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
      // Vite puts a content hash into the names in assets/; everything else is revalidated.
      caching: path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      compressed: br && gzip && { br, gzip },
    })
  }
  return files.has('/index.html') ? files : undefined
}

/** Serves the built web app: files by name, and a page for every URL that may be a screen. */
export function serveWeb(files: WebFiles | undefined): (c: HttpContext) => HttpResponse {
  return (c) => {
    const { method } = c.request
    if (method === 'OPTIONS') return { status: 204, headers: { Allow: 'GET, HEAD' } }
    if (method !== 'GET' && method !== 'HEAD') return inJson(onlyGiven)
    if (!files) {
      c.route = 'page'
      return notBuilt
    }
    const file = files.get(c.path)
    c.route = file ? 'file' : 'page'
    if (file) return responseOf(file, c)
    const page = files.get(pageFileAt(c.path, (path) => files.has(path)) ?? '')
    return page ? responseOf(page, c) : inJson(notFound)
  }
}

const onlyGiven = errorResponse(405, 'METHOD_NOT_ALLOWED', 'Only GET and HEAD are allowed here.', {
  headers: { Allow: 'GET, HEAD' },
})

const notBuilt: HttpResponse = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=UTF-8' },
  body: "Daymark's web pages haven't been built. `npm start` builds and serves them.\n",
}

function responseOf(file: WebFile, { request }: HttpContext): HttpResponse {
  const encoding = file.compressed && encodings.find((each) => takes(each, request))
  // Different bytes need a different ETag, so that caches on the way do not confuse them.
  const etag = encoding ? `"${file.tag}-${encoding}"` : `"${file.tag}"`
  const headers: HttpHeaders = {
    'Content-Type': file.type,
    'Cache-Control': file.caching,
    ...(file.compressed && variesByEncoding),
    ETag: etag,
  }
  if (hasTag(request.header('if-none-match'), etag)) return { status: 304, headers }
  const body = file.compressed && encoding ? file.compressed[encoding] : file.bytes
  return {
    status: 200,
    headers: {
      ...headers,
      ...(encoding && { 'Content-Encoding': encoding }),
      'Content-Length': String(body.byteLength),
    },
    body,
  }
}
