import { countAnswered } from '#platform/database/work/work.ts'

/** A body with its text. */
export type Serialized<Answer> = Answer & { text: string }

/** Serializes a body while it is counted what that costs; once only. */
export function serialized<Answer extends { body: unknown; text?: string | undefined }>(
  answer: Answer,
): Serialized<Answer> {
  if (isSerialized(answer)) return answer
  const text = JSON.stringify(answer.body)
  countAnswered(text.length)
  return { ...answer, text }
}

function isSerialized<Answer extends { text?: string | undefined }>(
  answer: Answer,
): answer is Serialized<Answer> {
  return answer.text !== undefined
}
