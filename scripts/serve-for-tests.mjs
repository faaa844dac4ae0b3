// The built app for the browser tests: on PORT, with an empty SQLite file that is removed at the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWebWhenChanged } from './web-build.mjs'

const folder = mkdtempSync(join(tmpdir(), 'daymark-e2e-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

process.env.NODE_ENV = 'production'
process.env.DATABASE_URL = `sqlite:${join(folder, 'daymark.db')}`
process.env.RATE_LIMIT = 'off'

await buildWebWhenChanged((line) => process.stderr.write(`${line}\n`))
await import('../src/app/server.ts')
