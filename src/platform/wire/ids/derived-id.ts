import { sha256 } from './sha256.ts'

/**
 * A UUIDv8 of the SHA-256 of the parts: whoever derives an id of the same facts, on whatever device, gets the same row. The
 * first part says what the id is of.
 */
export function derivedId(...parts: readonly string[]): string {
  // A text in a list in JSON ends where its quote does, so no two lists of parts are alike.
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
