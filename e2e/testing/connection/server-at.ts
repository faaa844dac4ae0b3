import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '#testing/free-port.ts'

export interface ServerAt {
  address: string
  stop(): Promise<void>
}

/** The built app with its own data, in a process whose clock starts at an instant and runs from there. */
export function startServerAt(instant: string): Promise<ServerAt> {
  return startServer(() => ({ CLOCK_BEGINS_AT: instant }))
}

/** The built app with the data in a folder. */
export function startServerOn(folder: string): Promise<ServerAt> {
  return startServer(() => ({ DATA_FOLDER: folder }))
}

/** The same, sending mail to an SMTP server. */
export function startMailingServer(folder: string, smtpUrl: string): Promise<ServerAt> {
  return startServer((address) => ({ DATA_FOLDER: folder, SMTP_URL: smtpUrl, BASE_URL: address }))
}

/** The same, with sign-up closed. */
export function startClosedServer(folder: string): Promise<ServerAt> {
  return startServer((address) => ({ DATA_FOLDER: folder, SIGN_UP: 'closed', BASE_URL: address }))
}

async function startServer(environmentOf: (address: string) => Record<string, string>): Promise<ServerAt> {
  const port = await freePort()
  const address = `http://localhost:${port}`
  const server = spawn(process.execPath, ['scripts/serve-for-tests.mjs'], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { ...process.env, PORT: String(port), ...environmentOf(address) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await ready(server)
  return {
    address,
    async stop() {
      if (server.exitCode !== null) return
      server.kill('SIGTERM')
      await once(server, 'exit')
    },
  }
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    server.stderr?.on('data', (chunk) => {
      if (String(chunk).includes('Daymark is ready')) resolve()
    })
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
}
