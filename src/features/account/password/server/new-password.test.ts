import { readFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { refuseGuessable } from './new-password.ts'

// Only the disk is faked.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return { ...real, readFile: vi.fn(real.readFile) }
})

const ada = { name: 'ada', email: 'ada.lovelace@example.org' }
const refused = async (password: string) => (await refuseGuessable('password', password, ada)) !== undefined

describe('a password', () => {
  it('can be chosen again once the list of common passwords can be read again', async () => {
    vi.mocked(readFile).mockRejectedValueOnce(new Error('EMFILE: too many open files'))
    await expect(refused('password')).rejects.toThrow('EMFILE')
    expect(await refused('password')).toBe(true)
    expect(await refused('a quiet river')).toBe(false)
  })

  it.each(['adaada12', 'Ada-Ada-Ada', '1ada2ada3', 'ada.lovelaceada.lovelace', 'daymarkdaymark'])(
    'is refused that is one word of its owner again and again: %s',
    async (password) => {
      expect(await refused(password)).toBe(true)
    },
  )

  it.each(['ada and bea', 'adalovestrees', 'my ada 1815'])(
    'may have such a word in it: %s',
    async (password) => {
      expect(await refused(password)).toBe(false)
    },
  )
})
