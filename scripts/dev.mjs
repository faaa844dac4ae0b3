// npm run dev: the web with hot reload on port 3000 and the API, restarted on every change, on 3001.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')

const both = [
  start(['--watch', '--watch-preserve-output', 'src/app/server.ts'], { PORT: '3001' }),
  start([vite], {}),
]

for (const child of both) {
  child.once('exit', (code) => {
    process.exitCode ??= code ?? 0
    stopBoth()
  })
}
process.on('SIGTERM', stopBoth)
process.on('SIGINT', stopBoth)

function stopBoth() {
  for (const child of both) child.kill('SIGTERM')
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
function start(args, env) {
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
}
