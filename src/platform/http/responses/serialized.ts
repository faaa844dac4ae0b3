import { countResponseBytes } from '#platform/database/pacing/work.ts'

/** A response with its body already serialized. */
export type Serialized<Reply> = Reply & { text: string }

/** Serializes a body once, and counts what serializing it costs. */
export function serialized<Reply extends { body: unknown; text?: string | undefined }>(
  response: Reply,
): Serialized<Reply> {
  if (isSerialized(response)) return response
  const text = JSON.stringify(response.body)
  countResponseBytes(text.length)
  return { ...response, text }
}

function isSerialized<Reply extends { text?: string | undefined }>(
  response: Reply,
): response is Serialized<Reply> {
  return response.text !== undefined
}
