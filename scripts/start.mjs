// npm start: builds the web when its sources have changed, then serves Daymark in this process.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { buildWebWhenChanged } from './web-build.mjs'

process.env.NODE_ENV ??= 'production'

try {
  await buildWebWhenChanged((line) => process.stderr.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
// Cached for the next start, which then doesn't have to strip types or compile: it is faster and takes 30 MB less.
enableCompileCache(fileURLToPath(new URL('../dist/compiled', import.meta.url)))
// In this process, so that SIGTERM and SIGINT reach the server directly.
const { start } = await import('../src/app/server.ts')
await start()
