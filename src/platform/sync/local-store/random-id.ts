export function randomId(): string {
  // Not randomUUID: browsers only provide it in secure contexts, and plain http in a home network is not secure.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
