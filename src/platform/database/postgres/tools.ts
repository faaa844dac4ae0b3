import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { DatabaseError } from '../storage/database-error.ts'

type ToolName = 'pg_dump' | 'pg_restore' | 'psql'

/** A running program that comes with PostgreSQL. */
export interface Tool {
  input: Writable
  output: Readable
  /** Resolves when the program has ended. Rejects with the end of its error output if it fails. */
  done: Promise<void>
}

/** Starts a PostgreSQL program. `signal` kills it. */
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
  // Ignore write errors: a program that does not read its whole input reports the failure by its exit code.
  child.stdin.on('error', () => {})
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000)
  })
  const done = once(child, 'close').then(
    ([code, killedBy]) => {
      if (code !== 0) throw new DatabaseError(`${name} failed: ${errors.trim() || (killedBy ?? code)}`)
    },
    (error) => {
      if (error.code === 'ENOENT')
        throw new DatabaseError(`${name} is not installed here: it comes with PostgreSQL's client programs`)
      throw error
    },
  )
  done.catch(() => {})
  return { input: child.stdin, output: child.stdout, done }
}

/** The version that a PostgreSQL program reports, such as `17.6`. */
export async function versionOfTool(name: ToolName): Promise<string> {
  const tool = startTool(name, ['--version'])
  let output = ''
  for await (const text of tool.output.setEncoding('utf8')) output += text
  await tool.done
  return /\d+(\.\d+)?/.exec(output)?.[0] ?? 'unknown'
}

/** Connection settings as environment variables, because every user of the machine can see a program's arguments. */
function connectionOf(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  // `pg` accepts `no-verify`, but libpq, which these programs use, does not.
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
