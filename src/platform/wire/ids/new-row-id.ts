import type { Instant } from '#platform/calendar/day.ts'

/**
 * A UUIDv7 for this instant. `random`: ten random bytes, passed in because browsers cannot generate version 7, nor version 4 on a
 * home network over plain http.
 */
export function newRowId(now: Instant, random: Uint8Array): string {
  const bytes = [
    ...Uint8Array.from({ length: 6 }, (_, place) => Math.floor(now / 2 ** (8 * (5 - place)))),
    ...random.subarray(0, 10),
  ]
  const marked = bytes.map((byte, place) => {
    if (place === 6) return (byte & 0x0f) | 0x70
    if (place === 8) return (byte & 0x3f) | 0x80
    return byte
  })
  const digits = marked.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
