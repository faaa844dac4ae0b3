export function randomId(): string {
  // Not randomUUID, which browsers only provide in secure contexts, and a home network over plain http is not one.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
