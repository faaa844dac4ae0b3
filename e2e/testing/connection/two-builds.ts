import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFilesLine } from '../../../scripts/web/built-files.mjs'
import { securityHeaders } from '../../../src/platform/http/guards/security-headers.ts'
import { HttpContext } from '../../../src/platform/http/request/context.ts'
import { NodeRequest, send } from '../../../src/platform/http/request/node-adapter.ts'
import { TimedResponse } from '../../../src/platform/http/request/timed-response.ts'
import { readWebFiles, serveWeb } from '../../../src/platform/http/responses/static-files.ts'
import { forward, listen } from './forward.ts'

export interface TwoBuilds {
  address: string
  /** From now on only the second build is served, and nothing of the first. */
  deploy(): void
  /** From now on a new service worker is served that lists the files of the first build, but none of them can be fetched. */
  deployWorkerAlone(): void
  stop(): Promise<void>
}

const built = fileURLToPath(new URL('../../../dist/web', import.meta.url))

/**
 * Serves the built web app, and after `deploy` a second build with another subtitle on the to-do screen. Requests to the API
 * are forwarded to the server at `api`.
 */
export async function serveTwoBuilds(api: string, subtitle: string): Promise<TwoBuilds> {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-two-builds-'))
  await cp(built, folder, { recursive: true, filter: (file) => !/\.(br|gz)$/.test(file) })
  await makeSecondBuild(folder, subtitle)
  const withHeaders = securityHeaders(false)
  const [first, second] = await Promise.all(
    [built, folder].map(async (directory) => serveWeb(await readWebFiles(directory))),
  )
  let current = first
  let workerAlone = false
  const respond = async (incoming: IncomingMessage, outgoing: TimedResponse) => {
    const { url = '' } = incoming
    if (url.startsWith('/api/')) return forward(api, incoming, outgoing)
    if (workerAlone && url !== '/service-worker.js') return outgoing.writeHead(503).end()
    if (workerAlone) {
      const worker = await readFile(join(built, 'service-worker.js'), 'utf8')
      return outgoing.setHeader('Content-Type', 'text/javascript').end(`${worker}\n// Another one.`)
    }
    const c = new HttpContext(new NodeRequest(incoming, outgoing, url))
    if (current) send(outgoing, incoming.method, withHeaders(c, current(c)))
  }
  const server = createServer({ ServerResponse: TimedResponse }, (incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => outgoing.destroy())
  })
  const address = await listen(server)
  return {
    address,
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

/** A file that changes between builds gets a new name, and so does every file that refers to it. */
async function makeSecondBuild(folder: string, subtitle: string): Promise<void> {
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
  const worker = join(folder, 'service-worker.js')
  const code = (await readFile(worker, 'utf8')).replace(/^self\.builtFiles=.*\n/, '')
  await writeFile(worker, (await builtFilesLine(folder)) + code)
}
