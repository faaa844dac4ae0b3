import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { DatabaseRefusal } from './database-refusal.ts'

type ToolName = 'pg_dump' | 'pg_restore' | 'psql'

/** One of PostgreSQL's own programs that was started. */
export interface Tool {
  input: Writable
  output: Readable
  /** Rejects with its last words when it fails. */
  done: Promise<void>
}

/** `signal` ends it. */
export function startTool(
  name: ToolName,
  args: readonly string[],
  { url, signal }: { url?: string; signal?: AbortSignal | undefined } = {},
): Tool {
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(name, args, {
    env: { ...process.env, ...(url !== undefined && connectionOf(url)) },
    stdio: 'pipe',
    ...(signal && { signal }),
  })
  // What it could not take is said by how it ends.
  child.stdin.on('error', () => {})
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000)
  })
  const done = once(child, 'close').then(
    ([code, killedBy]) => {
      if (code !== 0) throw new DatabaseRefusal(`${name} failed: ${errors.trim() || (killedBy ?? code)}`)
    },
    (error) => {
      if (error.code === 'ENOENT')
        throw new DatabaseRefusal(`${name} is not installed here: it comes with PostgreSQL's client programs`)
      throw error
    },
  )
  done.catch(() => {})
  return { input: child.stdin, output: child.stdout, done }
}

/** What a program of PostgreSQL calls itself, such as `17.6`. */
export async function versionOfTool(name: ToolName): Promise<string> {
  const tool = startTool(name, ['--version'])
  let said = ''
  for await (const text of tool.output.setEncoding('utf8')) said += text
  await tool.done
  return /\d+(\.\d+)?/.exec(said)?.[0] ?? 'unknown'
}

/** Handed on in the environment: what stands in the arguments, every user of the machine can see. */
function connectionOf(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  // What `pg` takes and libpq does not.
  const encryption = searchParams.get('sslmode')?.replace('no-verify', 'require')
  const named = {
    PGHOST: searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, ''),
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: encryption ?? '',
    PGSSLROOTCERT: searchParams.get('sslrootcert') ?? '',
    PGSSLCERT: searchParams.get('sslcert') ?? '',
    PGSSLKEY: searchParams.get('sslkey') ?? '',
  }
  return {
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== '')),
    PGAPPNAME: 'daymark backup',
  }
}
