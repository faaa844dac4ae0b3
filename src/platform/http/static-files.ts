import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { HttpApp, HttpContext } from './context.ts'
import { notFound, refuse, send } from './refusal.ts'

interface WebFile {
  bytes: Buffer<ArrayBuffer>
  type: string
  tag: string
  caching: string
  compressed: Map<Encoding, Promise<Buffer<ArrayBuffer>>>
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
const compressible = /^(text\/|application\/(json|manifest)|image\/svg)/

// Done when somebody first asks, who waits for it: the last 6 % would take twenty times as long.
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const compressions: Record<Encoding, (bytes: Buffer) => Promise<Buffer<ArrayBuffer>>> = {
  br: (bytes) => promisify<Buffer, typeof brotli, Buffer<ArrayBuffer>>(brotliCompress)(bytes, brotli),
  gzip: (bytes) => promisify(gzip)(bytes),
}

/** Undefined when nothing has been built at `directory`. */
export async function readWebFiles(directory: string): Promise<WebFiles | undefined> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = new Map<string, WebFile>()
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(directory, file).split(sep).join('/')}`
    const bytes = await readFile(file)
    files.set(path, {
      bytes,
      type: types[extname(path)] ?? 'application/octet-stream',
      tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
      // Vite puts a hash of the content into the names in assets/; everything else is asked for again.
      caching: path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      compressed: new Map(),
    })
  }
  return files.has('/index.html') ? files : undefined
}

/** Serves the built web: files by their name, and the one page for every address that may be a screen. */
export function serveWeb(app: HttpApp, files: WebFiles | undefined): void {
  app.get('*', async (c) => {
    if (!files) {
      c.set('route', 'page')
      return c.text('The web pages of Daymark are not built here. `npm start` builds and serves them.\n', 404)
    }
    const file = files.get(c.req.path)
    c.set('route', file ? 'file' : 'page')
    if (file) return sendFile(c, file)
    const page = files.get('/index.html')
    return page && mayBeScreen(c.req.path) ? sendFile(c, page) : send(c, notFound)
  })
  app.all('*', (c) => {
    c.header('Allow', 'GET, HEAD')
    if (c.req.method === 'OPTIONS') return c.body(null, 204)
    return send(c, refuse(405, 'METHOD_NOT_ALLOWED', 'Only GET, HEAD can be asked here.'))
  })
}

// A dot means a file, and a file that is not there must not be answered with a page.
function mayBeScreen(path: string): boolean {
  return path === '/' || /^(\/[\w-]+)+\/?$/.test(path)
}

async function sendFile(c: HttpContext, file: WebFile): Promise<Response> {
  c.header('Content-Type', file.type)
  c.header('Cache-Control', file.caching)
  const packable = compressible.test(file.type)
  if (packable) c.header('Vary', 'Accept-Encoding')
  const encoding = packable ? accepted(c.req.header('accept-encoding') ?? '') : undefined
  // Other bytes, another tag: a cache in between must not take one for the other.
  const etag = encoding ? `"${file.tag}-${encoding}"` : `"${file.tag}"`
  c.header('ETag', etag)
  const known = c.req.header('if-none-match')
  if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) return c.body(null, 304)
  if (!encoding) return c.body(file.bytes)
  c.header('Content-Encoding', encoding)
  return c.body(await compressed(file, encoding))
}

function accepted(header: string): Encoding | undefined {
  const offered = header.split(',').map((text) => text.trim().toLowerCase())
  return (['br', 'gzip'] as const).find((encoding) => offered.includes(encoding))
}

function compressed(file: WebFile, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  const bytes = file.compressed.get(encoding) ?? compressions[encoding](file.bytes)
  file.compressed.set(encoding, bytes)
  return bytes
}
