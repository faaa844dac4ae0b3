import type { OpenedFile } from './reading.ts'

const parsed = new WeakMap<OpenedFile, { value: unknown }>()

/** What the text of a file says as JSON; undefined if it says nothing. Parsed once, however many readers ask. */
export function jsonOf(file: OpenedFile): unknown {
  if (file.kind !== 'text') return undefined
  const known = parsed.get(file)
  if (known) return known.value
  const value = parseJson(file.text)
  parsed.set(file, { value })
  return value
}

/** Undefined if it is no JSON. */
export function parseJson(text: string): unknown {
  if (!looksLikeJson(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether it begins like an object or a list: then it is JSON, whole or cut short. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}
