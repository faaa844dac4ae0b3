export function randomId(): string {
  // Not randomUUID: a home network over plain http is no secure context, and does not have it.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
