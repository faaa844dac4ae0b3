/** A path that needs no decoding or normalizing. */
const simple = /^(\/[\w-]+)+$/

/** A path with encoded segments, none of which is `.` or `..`. */
const plain = /^(\/(?!(?:\.|%2e){1,2}(?:\/|$))[\w.!~*'()%-]+)+$/i

/** The path of a request target, without `.` and `..`, decoded except where decoding would change its segments. */
export function pathOf(target: string): string {
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  return isSimple(path) ? path : decodedWith(decodeURI, withoutDots(path).replaceAll('%25', '%2525'))
}

/** Whether a path is in the simple form that nearly all calls of our clients have. */
function isSimple(path: string): boolean {
  return simple.test(path)
}

/** Whether a path is written as our clients write it. */
export function isPlain(path: string): boolean {
  return plain.test(path)
}

/** Parses the query of a request target. When a name appears twice, the first value counts. */
export function queryOf(target: string): Record<string, string> {
  const query = target.indexOf('?')
  if (query === -1) return {}
  return Object.fromEntries([...new URLSearchParams(target.slice(query + 1))].reverse())
}

/** Decodes a path segment that `pathOf` left encoded. */
export function decodedPart(part: string): string {
  return part.includes('%') ? decodedWith(decodeURIComponent, part) : part
}

function withoutDots(path: string): string {
  if (!path.startsWith('/')) return path
  // The host is needed, since two leading slashes would otherwise be read as the start of a host.
  const address = `http://localhost${path}`
  return URL.canParse(address) ? new URL(address).pathname : path
}

/** Returns the text unchanged if it is not valid encoding. */
function decodedWith(decode: (text: string) => string, text: string): string {
  try {
    return decode(text)
  } catch {
    return text
  }
}
