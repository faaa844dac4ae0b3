// npm start: builds the web when its sources have changed, then serves Daymark in this process.
import { buildWebWhenChanged } from './web-build.mjs'

process.env.NODE_ENV ??= 'production'

try {
  await buildWebWhenChanged((line) => process.stderr.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
// In this process, so that SIGTERM and SIGINT reach the server without a messenger.
await import('../src/app/server.ts')
