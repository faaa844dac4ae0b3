import * as z from 'zod/mini'

/** Trimmed text of 1 to `max` characters. */
export function textSchema(label: string, max: number) {
  return z
    .string(`${label} must be text`)
    .check(
      z.trim(),
      z.minLength(1, `${label} must not be empty`),
      z.maxLength(max, `${label} must not exceed ${max} characters`),
      z.refine(isStorable, `${label} contains characters that can't be stored`),
    )
}

/** Trimmed text of at most `max` characters that may be empty. */
export function optionalTextSchema(label: string, max: number) {
  return z
    .string(`${label} must be text`)
    .check(
      z.trim(),
      z.maxLength(max, `${label} must not exceed ${max} characters`),
      z.refine(isStorable, `${label} contains characters that can't be stored`),
    )
}

/** Whether both engines can store the text: PostgreSQL refuses U+0000, and UTF-8 has no lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
