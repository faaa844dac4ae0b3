import * as z from 'zod/mini'
import { storedJson } from '#platform/wire/stored-json.ts'
import type { Columns } from '#platform/wire/synced-row.ts'
import { isStorable } from '#platform/wire/text.ts'

export const longestTag = 50
export const mostTags = 50

/** A tag as it is spelled: trimmed, with single spaces. */
export const tagSchema = z.pipe(
  z.string('Tag must be text'),
  z.pipe(
    z.transform((text: string) => text.trim().replaceAll(/\s+/g, ' ')),
    z.string().check(
      z.minLength(1, 'Tag must not be empty'),
      z.maxLength(longestTag, `Tag must not exceed ${longestTag} characters`),
      z.refine(isStorable, "Tag contains characters that can't be stored"),
      // In a URL, '.' and '..' mean something else, even when escaped.
      z.refine((tag) => tag !== '.' && tag !== '..', 'Tag must not be only dots'),
    ),
  ),
)

export const tagsSchema = z.array(tagSchema).check(z.maxLength(mostTags, `Expected at most ${mostTags} tags`))

/** For `GET /api/tags`: how many to-dos have each tag, open and done. */
export const tagCountsSchema = z.object({ tags: z.array(z.object({ tag: z.string(), count: z.number() })) })
export type TagCount = z.infer<typeof tagCountsSchema>['tags'][number]

/** The key by which tags are compared, ignoring case. It is the same on every device, whatever its language. */
export function tagKey(tag: string): string {
  return tag.normalize('NFC').toLowerCase()
}

export function hasTag(tags: readonly string[], tag: string): boolean {
  const key = tagKey(tag)
  return tags.some((each) => tagKey(each) === key)
}

/** Tags in the order in which they are shown. Of tags that differ only in case, the last one is kept. */
export function sortedTags(tags: Iterable<string>): string[] {
  const byKey = new Map([...tags].map((tag) => [tagKey(tag), tag]))
  return [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, tag]) => tag)
}

/** `tags` after adding some and removing others. */
export function changedTags(
  tags: readonly string[],
  { add = [], remove = [] }: { add?: readonly string[] | undefined; remove?: readonly string[] | undefined },
): string[] {
  const gone = new Set(remove.map(tagKey))
  return sortedTags([...tags.filter((tag) => !gone.has(tagKey(tag))), ...add]).slice(0, mostTags)
}

const spellings = z.array(z.string())

/** Converts tags to and from their column, which is null if there are no tags. */
export const storedTags = {
  toColumns: (tags: unknown) => ({
    tags: Array.isArray(tags) && tags.length > 0 ? JSON.stringify(tags) : null,
  }),
  fromColumns: ({ tags }: Columns): string[] => storedJson(spellings, tags) ?? [],
}
