// npm run dev: the web with hot reload on PORT (3000), and the API, restarted on every change, on the next port.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')

const port = Number(process.env.PORT ?? 3000)

process.stdout.write(`Open http://localhost:${port} (the API behind it is on ${port + 1}).\n`)
const both = [
  start(['--watch', '--watch-preserve-output', 'src/app/server.ts'], { PORT: String(port + 1) }),
  start([vite], { PORT: String(port) }),
]

let stopping = false
for (const child of both) {
  child.once('exit', (code) => {
    // Neither ends by itself: the first to end has failed, and the other is stopped.
    if (!stopping) process.exitCode = code || 1
    stopBoth()
  })
}
process.on('SIGTERM', stopBoth)
process.on('SIGINT', stopBoth)

function stopBoth() {
  stopping = true
  for (const child of both) child.kill('SIGTERM')
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
function start(args, env) {
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
}
