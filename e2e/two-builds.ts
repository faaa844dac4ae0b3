import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { HttpEnv } from '../src/platform/http/context.ts'
import { securityHeaders } from '../src/platform/http/security-headers.ts'
import { readWebFiles, serveWeb } from '../src/platform/http/static-files.ts'

export interface TwoBuilds {
  address: string
  /** From now on the second build is served, and of the first one nothing. */
  deploy(): void
  /** From now on there is another worker, which names the files of the first build, and none of them arrives. */
  deployWorkerAlone(): void
  stop(): Promise<void>
}

const built = fileURLToPath(new URL('../dist/web', import.meta.url))

/**
 * The built web, and after `deploy` a second build of it, whose to-do screen says something else under its title. Calls
 * are answered by the server at `api`.
 */
export async function serveTwoBuilds(api: string, subtitle: string): Promise<TwoBuilds> {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-two-builds-'))
  await cp(built, folder, { recursive: true, filter: (file) => !/\.(br|gz)$/.test(file) })
  await buildAnew(folder, subtitle)
  const webs = [built, folder].map(async (directory) => {
    const web = new Hono<HttpEnv>()
    web.use(securityHeaders(false))
    serveWeb(web, await readWebFiles(directory))
    return web
  })
  const [first, second] = await Promise.all(webs)
  let current = first
  let workerAlone = false
  const app = new Hono()
  app.all('/api/*', (c) => {
    const { pathname, search } = new URL(c.req.url)
    const headers = new Headers(c.req.raw.headers)
    // Each server lets in what comes from its own address.
    if (headers.has('origin')) headers.set('origin', api)
    const body = c.req.raw.body
    return fetch(`${api}${pathname}${search}`, {
      method: c.req.method,
      headers,
      ...(body ? { body, duplex: 'half' } : {}),
    })
  })
  app.get('/service-worker.js', async (c, next) => {
    if (!workerAlone) return next()
    const worker = await readFile(join(built, 'service-worker.js'), 'utf8')
    return c.body(`${worker}\n// Another one.`, 200, { 'content-type': 'text/javascript' })
  })
  app.all('*', (c, next) => (workerAlone ? c.body('', 503) : next()))
  app.all('*', (c) => current?.fetch(c.req.raw) ?? c.notFound())
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new Error('No port')
  return {
    address: `http://localhost:${listening.port}`,
    deploy() {
      current = second
    },
    deployWorkerAlone() {
      workerAlone = true
    },
    async stop() {
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What changes in a build has another name there, and so has all that names it. */
async function buildAnew(folder: string, subtitle: string): Promise<void> {
  const names = await readdir(join(folder, 'assets'))
  const scripts = names.filter((name) => name.endsWith('.js'))
  const renamed = new Map(
    scripts.map((name) => [name, name.replace(/(.)\.js$/, (_, last) => (last === '_' ? '-.js' : '_.js'))]),
  )
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const { name, parentPath } of entries.filter((entry) => /\.(js|html)$/.test(entry.name))) {
    const file = join(parentPath, name)
    let text = await readFile(file, 'utf8')
    for (const [before, after] of renamed) text = text.replaceAll(before, after)
    await writeFile(file, text.replaceAll('Plan your day and track your tasks', subtitle))
  }
  for (const [before, after] of renamed) {
    await rename(join(folder, 'assets', before), join(folder, 'assets', after))
  }
}
