import { fileTypeOf } from '#platform/wire/file-type.ts'

/** A file as the build lists it for the worker: its path without the leading slash, its bytes, and what they hash to. */
export type BuiltFile = readonly [path: string, size: number, hash: string]

/**
 * Whether a response is that file and no other: a gateway that asks people to sign in responses every request with its own
 * page, as if all were well, and a server of another build with the page of that build.
 */
export async function isFile(response: Response, [path, size, hash]: BuiltFile): Promise<boolean> {
  if (!response.ok || response.redirected || !hasTypeOf(path, response)) return false
  // Of a clone, because the body can be read only once.
  const bytes = await response.clone().arrayBuffer()
  return bytes.byteLength === size && (await hashOf(bytes)) === hash
}

/** All that can be said of a file of another build, whose hash is not known. */
export function hasTypeOf(path: string, { headers }: Response): boolean {
  return essenceOf(headers.get('content-type') ?? '') === essenceOf(fileTypeOf(path))
}

/** Of the bytes of a file, as the build shortens it. */
export async function hashOf(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Proxies may drop or respell the charset. */
function essenceOf(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase()
}
