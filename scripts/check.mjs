// npm run check: types, lint and format, dead code, walls and rooms, all in parallel; shows only what failed.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

// The checks write into a pipe, so each has to be told whether that leads to a terminal.
const colours = process.stdout.isTTY === true

const checks = {
  types: ['node_modules/typescript-7/bin/tsc', '--noEmit', '--pretty', String(colours), '-p', '.'],
  'lint and format': [
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    `--colors=${colours ? 'force' : 'off'}`,
    '.',
  ],
  'dead code': ['node_modules/knip/bin/knip.js', '--treat-config-hints-as-errors'],
  walls: ['scripts/checks/check-walls.mjs'],
  rooms: ['scripts/checks/check-rooms.mjs'],
}

const results = await Promise.all(Object.entries(checks).map(([name, args]) => check(name, args)))
process.exitCode = results.every(Boolean) ? 0 : 1

/**
 * @param {string} name
 * @param {string[]} args
 * @returns {Promise<boolean>} whether it passed
 */
function check(name, args) {
  const started = performance.now()
  const child = spawn(process.execPath, [join(root, args[0] ?? ''), ...args.slice(1)], { cwd: root })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`)
      if (code !== 0) process.stdout.write(`${output.trimEnd()}\n\n`)
      resolve(code === 0)
    })
  })
}
