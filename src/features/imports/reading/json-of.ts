import type { OpenedFile } from './reading.ts'

const parsed = new WeakMap<OpenedFile, { value: unknown }>()

/** The parsed JSON of a file; undefined if the file is not JSON. Each file is parsed only once, however many readers ask. */
export function jsonOf(file: OpenedFile): unknown {
  if (file.kind !== 'text') return undefined
  const known = parsed.get(file)
  if (known) return known.value
  const value = parseJson(file.text)
  parsed.set(file, { value })
  return value
}

/** Undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  if (!looksLikeJson(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether the text begins like a JSON object or array. Text that begins so may still be cut off or damaged. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}
