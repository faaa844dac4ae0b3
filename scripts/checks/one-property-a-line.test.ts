import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome')
const rule = join(repository, 'scripts/checks/one-property-a-line.grit')

test.each([
  ['a literal spread into an object', 'export const it = { ...{ one, two }, three }', 1],
  ['a literal spread into an element', 'export const it = <A {...{ one, two }} />', 1],
  ['an object that stands elsewhere', 'export const it = { ...one, ...(two && { three }) }', 0],
])('the linter looks at %s', (_, code, status) => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins: [rule] }))
  writeFileSync(join(folder, 'planted.tsx'), code)
  const linted = spawnSync(process.execPath, [biome, 'lint', 'planted.tsx'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(linted.status, linted.stderr).toBe(status)
  expect(linted.stderr.includes('one a line')).toBe(status === 1)
})
