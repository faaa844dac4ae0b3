import { longestTag, mostTags, tagKey } from '#features/todos/todo/tags.ts'
import { plainWord } from '#platform/language/typed-date.ts'
import { fold } from '#platform/search/fold.ts'
import type { QuickAddContext, QuickAddList } from './quick-add.ts'
import { isSpace, overlap, type Span, withoutEnd } from './words.ts'

/** The meaning of a sign in the text: `@list`, `#tag` or `!priority`. */
export type Marker = Span &
  (
    | { kind: 'list'; list: QuickAddList }
    | { kind: 'tag'; tag: string }
    | { kind: 'priority'; priority: 1 | 2 | 3 }
  )

/**
 * The markers that count, in the order of the text: every tag, the last priority, and the last list that exists. If none of the
 * lists exists, the last list. A sign counts only at the beginning of the text or after white space, and never within `literal`.
 */
export function markersIn(text: string, context: QuickAddContext, literal: readonly Span[]): Marker[] {
  const found: Marker[] = []
  const tags = new Set<string>()
  for (let place = 0; place < text.length; place++) {
    if (place > 0 && !isSpace(text.charAt(place - 1))) continue
    const marker = markerAt(text, place, context)
    if (!marker || literal.some((span) => overlap(span, marker))) continue
    place = marker.to - 1
    if (marker.kind === 'tag') {
      if (tags.size === mostTags && !tags.has(tagKey(marker.tag))) continue
      tags.add(tagKey(marker.tag))
    }
    found.push(marker)
  }
  const lists = found.filter((marker) => marker.kind === 'list')
  const list = lists.findLast(({ list }) => list.ids.length > 0) ?? lists.at(-1)
  const priority = found.findLast(({ kind }) => kind === 'priority')
  return found.filter((marker) => marker.kind === 'tag' || marker === list || marker === priority)
}

function markerAt(text: string, from: number, { language, lists }: QuickAddContext): Marker | undefined {
  switch (text.charAt(from)) {
    case '!': {
      const { word, to } = wordAt(text, from + 1)
      const priority = language.priorities.get(plainWord(word))
      return priority && { from, to, kind: 'priority', priority }
    }
    case '#': {
      const { word, to } = quotedAt(text, from + 1) ?? wordAt(text, from + 1)
      return isTagName(word) ? { from, to, kind: 'tag', tag: word } : undefined
    }
    case '@': {
      const quoted = quotedAt(text, from + 1)
      const known = quoted ? undefined : listAt(text, from + 1, lists)
      if (known) return { from, kind: 'list', ...known }
      const { word, to } = quoted ?? wordAt(text, from + 1)
      if (!isListName(word)) return undefined
      const inQuotes = quoted && listAt(word, 0, lists)
      const isWhole = inQuotes?.to === word.length
      return { from, to, kind: 'list', list: isWhole ? inQuotes.list : { name: word, ids: [] } }
    }
    default:
      return undefined
  }
}
const longestList = 100
export const punctuation = '.,;:!?…)]'

/** The word up to white space or a comma, without the punctuation at its end. */
export function wordAt(text: string, from: number): { word: string; to: number } {
  let end = from
  while (end < text.length && !isSpace(text.charAt(end)) && text.charAt(end) !== ',') end++
  const word = withoutEnd(text.slice(from, end), punctuation)
  return { word, to: from + word.length }
}

/** The name in quotes right after the sign, with single spaces. */
function quotedAt(text: string, from: number): { word: string; to: number } | undefined {
  const closing = { '"': '"', '“': '”' }[text.charAt(from)]
  const end = closing === undefined ? -1 : text.indexOf(closing, from + 1)
  if (end < 0) return undefined
  return {
    word: text
      .slice(from + 1, end)
      .trim()
      .replaceAll(/\s+/g, ' '),
    to: end + 1,
  }
}

/** Whether a list can have this name. */
export function isListName(word: string): boolean {
  return isName(word, longestList)
}

/** Whether a marker can name this tag. */
export function isTagName(word: string): boolean {
  return isName(word, longestTag)
}

/** Whether the name can be stored and contains a letter, a digit or a pictograph. */
function isName(word: string, longest: number): boolean {
  return (
    word.length <= longest &&
    /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(word) &&
    !/[\p{Cc}\p{Cs}"]/u.test(word)
  )
}

interface KnownLists {
  byName: ReadonlyMap<string, QuickAddList>
  /** How many words the names have; each number once, the largest first. */
  lengths: readonly number[]
}

/** Cached per array of lists, as the array stays the same while the person types. */
const known = new WeakMap<QuickAddContext['lists'], KnownLists>()

function knownLists(lists: QuickAddContext['lists']): KnownLists {
  const found = known.get(lists)
  if (found) return found
  const byName = new Map<string, QuickAddList>()
  for (const { id, name } of lists) {
    const same = byName.get(foldedName(name))
    byName.set(foldedName(name), same ? { ...same, ids: [...same.ids, id] } : { name, ids: [id] })
  }
  const lengths = new Set([...byName.keys()].map((name) => name.split(' ').length))
  const made = { byName, lengths: [...lengths].sort((one, other) => other - one) }
  known.set(lists, made)
  return made
}

/** The list with the longest name that the text continues with, regardless of case and accents. */
function listAt(
  text: string,
  from: number,
  lists: QuickAddContext['lists'],
): { list: QuickAddList; to: number } | undefined {
  if (isSpace(text.charAt(from))) return undefined
  const { byName, lengths } = knownLists(lists)
  const ends = endsOfWords(text, from, lengths[0] ?? 0)
  for (const length of lengths) {
    const end = ends[length - 1]
    if (end === undefined) continue
    const whole = text.slice(from, end)
    for (const name of [whole, withoutEnd(whole, punctuation)]) {
      const list = byName.get(foldedName(name))
      if (list) return { list, to: from + name.length }
    }
  }
}

/** Where each of the next `most` words ends. */
function endsOfWords(text: string, from: number, most: number): number[] {
  const ends: number[] = []
  for (let place = from; place < text.length && ends.length < most; place++) {
    const isEnd = !isSpace(text.charAt(place)) && isSpace(text.charAt(place + 1))
    if (isEnd) ends.push(place + 1)
  }
  return ends
}

/** Normalizes a list's name, so that names which differ only in case, accents or spaces become equal. */
export function foldedName(name: string): string {
  return fold(name).trim().replaceAll(/\s+/g, ' ')
}
