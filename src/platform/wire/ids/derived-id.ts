import { sha256 } from './sha256.ts'

/**
 * A UUIDv8 from the SHA-256 of the parts: every device that derives an id from the same facts gets the same row. The first part
 * says what kind of id it is.
 */
export function derivedId(...parts: readonly string[]): string {
  // JSON marks where each part ends, so different lists of parts never give the same text.
  const hash = sha256(new TextEncoder().encode(JSON.stringify(parts)))
  const digits = [...hash.subarray(0, 16)]
    .map((byte, place) => {
      if (place === 6) return (byte & 0x0f) | 0x80
      if (place === 8) return (byte & 0x3f) | 0x80
      return byte
    })
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
