import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const workflow = readFileSync(new URL('../../.github/workflows/ci.yml', import.meta.url), 'utf8')
const steps = [...workflow.matchAll(/^ +- run: (.*)$/gm)].map(([, command = '']) => command)
const parts = steps.map((command) => /^\.ci\/run (\w+)/.exec(command)?.[1])

describe('what is run for each change', () => {
  test('is every part of .ci/run, and nothing else', () => {
    const refused = run('.ci/run', 'nonsense')
    const known = /: say ([\w, ]+), or nothing/.exec(refused.stderr)?.[1]
    expect(refused.status).toBe(2)
    expect(parts).toEqual(known?.split(', '))
  })

  test('is all of the browser tests, shard by shard', () => {
    const shards = /^ +shard: \[(.*)\]$/m.exec(workflow)?.[1]?.split(', ') ?? []
    expect(shards).toEqual(shards.map((_, index) => `${index + 1}/${shards.length}`))
    expect(shards.length).toBeGreaterThan(0)
    expect(steps).toContain(`.ci/run browser \${{ matrix.shard }}`)
  })

  test('is no part of npm test that is unknown to it', () => {
    expect(run(process.execPath, 'scripts/test.mjs', 'nonsense')).toMatchObject({ status: 2 })
  })
})

function run(command: string, ...args: string[]) {
  return spawnSync(command, args, { cwd: root, encoding: 'utf8' })
}
