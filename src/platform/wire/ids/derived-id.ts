import { sha256 } from './sha256.ts'

/**
 * A UUIDv8 from the SHA-256 of the parts: every device that derives an id from the same facts gets the same row. The first part
 * says what kind of id it is.
 */
export function derivedId(...parts: readonly string[]): string {
  // JSON marks where each part ends, so different lists of parts never give the same text.
  const hash = sha256(encoder.encode(JSON.stringify(parts)))
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const digits = (from: number, to: number) => {
    let text = ''
    for (let place = from; place < to; place += 1) text += twoDigits[hash[place] ?? 0]
    return text
  }
  return `${digits(0, 4)}-${digits(4, 6)}-${digits(6, 8)}-${digits(8, 10)}-${digits(10, 16)}`
}

// An import derives the ids of thousands of rows at once.
const encoder = new TextEncoder()
const twoDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
