import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { plantedFaults } from './planted-faults.mjs'

test.each(plantedFaults)('$breaks can still be planted', ({ file, is, becomes, tests }) => {
  expect(readFileSync(file, 'utf8').split(is)).toHaveLength(2)
  expect(becomes).not.toBe(is)
  expect(tests.filter((path) => path !== 'walls' && !existsSync(path))).toEqual([])
})
