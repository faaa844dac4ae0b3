import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { SecretError, storedSecret } from './auth-secret.ts'

describe('the secret of the sign-in cookies', () => {
  let folder: string
  const folders: string[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daymark-secret-'))
    folders.push(folder)
  })
  afterAll(async () => {
    for (const each of folders) await rm(each, { recursive: true })
  })

  it('is made at the first start, for its owner alone, and is the same ever after', async () => {
    const file = join(folder, 'new', 'auth-secret')
    const secret = await storedSecret(file)
    expect(secret.length).toBeGreaterThanOrEqual(48)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, 'new'))).toEqual(['auth-secret'])
    expect(await storedSecret(file)).toBe(secret)
    expect(await storedSecret(join(folder, 'auth-secret'))).not.toBe(secret)
  })

  it('is one and the same for processes that start together', async () => {
    const file = join(folder, 'auth-secret')
    const secrets = await Promise.all(Array.from({ length: 8 }, () => storedSecret(file)))
    expect(new Set(secrets).size).toBe(1)
    expect((await readFile(file, 'utf8')).trim()).toBe(secrets[0])
    expect(await readdir(folder)).toEqual(['auth-secret'])
  })

  it('is taken back from others who could read it', async () => {
    const file = join(folder, 'auth-secret')
    const secret = await storedSecret(file)
    await chmod(file, 0o644)
    expect(await storedSecret(file)).toBe(secret)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['\n', 'must have at least 32 characters, not 0'],
    [`${'0'.repeat(48)}\n`, 'is too easy to guess: it has only 1 different character'],
    [`${'abcdefg'.repeat(9)}\n`, 'is too easy to guess: it has only 7 different characters'],
  ])('is not accepted where it can be guessed, and the start says why: %j', async (text, problem) => {
    const file = join(folder, 'auth-secret')
    await writeFile(file, text)
    await expect(storedSecret(file)).rejects.toThrow(SecretError)
    await expect(storedSecret(file)).rejects.toThrow(
      `The secret of the sign-in cookies in ${file} ${problem}; delete the file to get a new one`,
    )
  })

  it('that cannot be kept is said with its reason', async () => {
    const file = join(folder, 'a file')
    await writeFile(file, '')
    await expect(storedSecret(join(file, 'auth-secret'))).rejects.toThrow(/cannot be kept in .*: E/)
  })
})
