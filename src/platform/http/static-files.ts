import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { pageFileAt } from '#platform/wire/page-file.ts'
import type { HttpApp, HttpContext } from './context.ts'
import { notFound, refuse, send } from './refusal.ts'

interface WebFile {
  bytes: Buffer<ArrayBuffer>
  type: string
  tag: string
  caching: string
  /** Undefined for what does not get smaller. */
  compressed: Record<Encoding, Buffer<ArrayBuffer>> | undefined
}
type Encoding = 'br' | 'gzip'

/** The built web by address path, read whole: it is small, and what is not in here cannot be asked for. */
export type WebFiles = ReadonlyMap<string, WebFile>

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/** Undefined when nothing has been built at `directory`. */
export async function readWebFiles(directory: string): Promise<WebFiles | undefined> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const read = new Map<string, Buffer<ArrayBuffer>>()
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name)
    read.set(`/${relative(directory, file).split(sep).join('/')}`, await readFile(file))
  }
  const files = new Map<string, WebFile>()
  for (const [path, bytes] of read) {
    // Made by the build beside what they are of (scripts/compress-ahead.mjs): no addresses of their own.
    if (/\.(br|gz)$/.test(path)) continue
    const br = read.get(`${path}.br`)
    const gzip = read.get(`${path}.gz`)
    files.set(path, {
      bytes,
      type: types[extname(path)] ?? 'application/octet-stream',
      tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
      // Vite puts a hash of the content into the names in assets/; everything else is asked for again.
      caching: path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      compressed: br && gzip && { br, gzip },
    })
  }
  return files.has('/index.html') ? files : undefined
}

/** Serves the built web: files by their name, and a page for every address that may be a screen. */
export function serveWeb(app: HttpApp, files: WebFiles | undefined): void {
  app.get('*', (c) => {
    if (!files) {
      c.set('route', 'page')
      return c.text("Daymark's web pages haven't been built. `npm start` builds and serves them.\n", 404)
    }
    const file = files.get(c.req.path)
    c.set('route', file ? 'file' : 'page')
    if (file) return sendFile(c, file)
    const page = files.get(pageFileAt(c.req.path, (path) => files.has(path)) ?? '')
    return page ? sendFile(c, page) : send(c, notFound)
  })
  app.all('*', (c) => {
    c.header('Allow', 'GET, HEAD')
    if (c.req.method === 'OPTIONS') return c.body(null, 204)
    return send(c, refuse(405, 'METHOD_NOT_ALLOWED', 'Only GET and HEAD are allowed here.'))
  })
}

function sendFile(c: HttpContext, file: WebFile): Response {
  c.header('Content-Type', file.type)
  c.header('Cache-Control', file.caching)
  if (file.compressed) c.header('Vary', 'Accept-Encoding')
  const encoding = file.compressed && accepted(c.req.header('accept-encoding') ?? '')
  // Other bytes, another tag: a cache in between must not take one for the other.
  const etag = encoding ? `"${file.tag}-${encoding}"` : `"${file.tag}"`
  c.header('ETag', etag)
  const known = c.req.header('if-none-match')
  if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) return c.body(null, 304)
  if (!file.compressed || !encoding) return c.body(file.bytes)
  c.header('Content-Encoding', encoding)
  return c.body(file.compressed[encoding])
}

function accepted(header: string): Encoding | undefined {
  const offered = header.split(',').map((text) => text.trim().toLowerCase())
  return (['br', 'gzip'] as const).find((encoding) => offered.includes(encoding))
}
