import { fileTypeOf } from '#platform/wire/file-type.ts'

/**
 * A file in the build's list for the worker: its path without the leading slash, its size in bytes, and the hash of its
 * content.
 */
export type BuiltFile = readonly [path: string, size: number, hash: string]

/**
 * Whether a response contains exactly this file. A gateway that makes people sign in responds to every request with its own
 * page, without an error, and a server of another build sends its own page.
 */
export async function isFile(response: Response, [path, size, hash]: BuiltFile): Promise<boolean> {
  if (!response.ok || response.redirected || !hasTypeOf(path, response)) return false
  // Reads a clone, because a body can be read only once.
  const bytes = await response.clone().arrayBuffer()
  return bytes.byteLength === size && (await hashOf(bytes)) === hash
}

/** Whether a response has the file's media type: the only check for files of another build, whose hashes are unknown. */
export function hasTypeOf(path: string, { headers }: Response): boolean {
  return essenceOf(headers.get('content-type') ?? '') === essenceOf(fileTypeOf(path))
}

/** The hash of a file's bytes, shortened as in the build. */
export async function hashOf(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The media type without parameters, since proxies may drop or respell the charset. */
function essenceOf(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase()
}
