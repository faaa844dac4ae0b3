import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ErrorResponse } from '#platform/http/request/error-response.ts'
import { refuseField } from '#platform/http/row-calls/when.ts'

const tooCommon = 'This password is too common. Choose a different one.'
const tooPersonal = 'This password is too similar to your name or email. Choose a different one.'

// The shortest part of a name or email that is checked, in characters. Shorter parts occur in too many ordinary words.
const shortestWord = 3

/**
 * Refuses the passwords that attackers guess first: the most common passwords, and passwords made of the person's own name or
 * email. Checked only when a password is chosen, so that people with an older password of this sort can still sign in.
 */
export async function refuseGuessable(
  field: 'password' | 'newPassword',
  password: string,
  { name, email }: { name: string; email: string },
): Promise<ErrorResponse | undefined> {
  const chosen = password.toLowerCase()
  if ((await commonPasswords()).has(chosen)) return refuseField(field, tooCommon)
  const localPart = email.slice(0, email.lastIndexOf('@'))
  const words = [name, email, localPart, 'daymark'].map((word) => word.toLowerCase())
  return words.some((word) => isMadeOf(chosen, word)) ? refuseField(field, tooPersonal) : undefined
}

/** Whether the password is only the word, once or more, with digits and punctuation around it, as in 'ada-1815'. */
function isMadeOf(password: string, word: string): boolean {
  if (word.length < shortestWord || !password.includes(word)) return false
  return !/\p{L}/u.test(password.replaceAll(word, ''))
}

let reading: Promise<ReadonlySet<string>> | undefined

/** Reads the list when the first password is chosen, so that startup does not wait for it. A failed read is tried again. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  reading ??= readCommonPasswords().catch((error) => {
    reading = undefined
    throw error
  })
  return reading
}

async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const text = await readFile(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
  return new Set(text.trimEnd().split('\n'))
}
