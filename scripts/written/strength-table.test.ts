import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documentFile, strengthDocument } from './strength-table.mjs'

test('docs/strength.md is what scripts/written/strength-table.mjs writes', () => {
  expect(readFileSync(documentFile, 'utf8')).toBe(strengthDocument())
})
