import { tagKey } from '#features/todos/todo/tags.ts'
import { plainWord } from '#platform/language/typed-date.ts'
import { fold } from '#platform/search/fold.ts'
import { matchOf, matchRanks, wantedOf } from '#platform/search/match.ts'
import { foldedName, isListName, isTagName, markersIn, punctuation, wordAt } from './markers.ts'
import type { QuickAddContext } from './quick-add.ts'
import { refusedIn } from './read-quick-add.ts'
import { isSpace, overlap, quotedIn, type Span, withoutEnd, wordsOf } from './words.ts'

/** The list, tag or priority being typed at the caret: the sign and the text after it. */
export interface TypedMarker extends Span {
  kind: 'list' | 'tag' | 'priority'
  /** Whether the name begins with a quote. */
  isQuoted: boolean
  /** The text between the sign and the caret, without the quote. */
  typed: string
  /** Like `typed`, but up to the end of the word. */
  word: string
}

const kinds = new Map<string, TypedMarker['kind']>([
  ['@', 'list'],
  ['#', 'tag'],
  ['!', 'priority'],
])

/** The marker being typed at the caret, if any. A list name may contain spaces, but a space at its end ends the marker. */
export function typedMarkerAt(
  text: string,
  caret: number,
  refused: readonly string[],
): TypedMarker | undefined {
  let from = caret - 1
  while (from >= 0 && !(kinds.has(text.charAt(from)) && (from === 0 || isSpace(text.charAt(from - 1)))))
    from--
  const kind = kinds.get(text.charAt(from))
  if (from < 0 || !kind) return undefined
  const isQuoted = /["“]/.test(text.charAt(from + 1))
  const begun = from + (isQuoted ? 2 : 1)
  const typed = text.slice(begun, Math.max(begun, caret))
  if (/^\s|\s$|["”]/.test(typed) || (kind !== 'list' && !isQuoted && /[\s,]/.test(typed))) return undefined
  const to = Math.max(caret, wordAt(text, caret).to)
  const literal = [...quotedIn(text), ...refusedIn(wordsOf(text), refused)]
  if (literal.some((span) => overlap(span, { from, to }))) return undefined
  return { from, to, kind, isQuoted, typed, word: typed + text.slice(Math.max(begun, caret), to) }
}

interface Named {
  id: string
  name: string
}

export type Suggestion<List extends Named> =
  | { kind: 'list'; list: List }
  | { kind: 'new list'; name: string }
  | { kind: 'tag' | 'new tag'; tag: string }
  | { kind: 'priority'; priority: 1 | 2 | 3; word: string }

export interface Suggestions<List extends Named> {
  options: readonly Suggestion<List>[]
  /** Whether the typed text is only the beginning of the first option. If so, Enter takes that option. */
  firstIsMeant: boolean
}

/** The most suggestions shown: as many as a person can take in at a glance. */
const mostSuggested = 8

interface SuggestionContext<List extends Named> extends Pick<QuickAddContext, 'language'> {
  lists: readonly List[]
  /** The tags in use. */
  tags: readonly string[]
}

/** Completions for the marker being typed, the likeliest first. Empty if the typed text is already the only match. */
export function suggestionsFor<List extends Named>(
  { kind, isQuoted, typed, word }: TypedMarker,
  { lists, tags, language }: SuggestionContext<List>,
): Suggestions<List> {
  const name = withoutEnd(word, punctuation)
  switch (kind) {
    case 'list': {
      const whole = foldedName(name)
      const names = lists.map((list) => foldedName(list.name))
      return suggestionsOf(
        ranked(lists, typed, (list) => list.name),
        {
          of: (list) => ({ kind, list }),
          isWhole: names.includes(whole),
          // 'home i' may be the list Home followed by the beginning of a date.
          mayEndBefore: names.some((each) => whole.startsWith(`${each} `)),
          isNew: isListName(name) && (isQuoted || !/\s/.test(name)),
          added: { kind: 'new list', name },
        },
      )
    }
    case 'tag': {
      const found = ranked(tags.filter(isTagName), typed, (tag) => tag)
      return suggestionsOf(found, {
        of: (tag) => ({ kind, tag }),
        isWhole: tags.some((tag) => tagKey(tag) === tagKey(name)),
        // If no tag matches, the typed text becomes a new tag anyway, so do not suggest it.
        isNew: found.length > 0 && isTagName(name),
        added: { kind: 'new tag', tag: name },
      })
    }
    case 'priority': {
      const words = [...language.priorities].sort(([, one], [, other]) => other - one)
      return suggestionsOf(
        ranked(words, typed, ([word]) => word),
        {
          of: ([word, priority]) => ({ kind, priority, word }),
          isWhole: language.priorities.has(plainWord(name)),
        },
      )
    }
  }
}

interface Ranked<Item> {
  item: Item
  begins: boolean
}

/** The items with a word that begins with the typed text. Items that begin with that text themselves come first. */
function ranked<Item>(items: readonly Item[], typed: string, nameOf: (item: Item) => string): Ranked<Item>[] {
  const wanted = wantedOf(typed)
  return items
    .flatMap((item) => {
      const rank = wanted ? matchOf({ title: fold(nameOf(item)), more: [] }, wanted) : matchRanks.title
      return rank === undefined ? [] : [{ item, begins: rank === matchRanks.titleStart }]
    })
    .sort((one, other) => Number(other.begins) - Number(one.begins))
    .slice(0, mostSuggested)
}

function suggestionsOf<Item, List extends Named>(
  found: readonly Ranked<Item>[],
  {
    of,
    isWhole,
    mayEndBefore = false,
    isNew = false,
    added,
  }: {
    of(item: Item): Suggestion<List>
    isWhole: boolean
    mayEndBefore?: boolean
    isNew?: boolean
    added?: Suggestion<List>
  },
): Suggestions<List> {
  const options = found.map(({ item }) => of(item))
  if (isWhole && options.length < 2) return { options: [], firstIsMeant: false }
  return {
    options: added && isNew && !isWhole ? [...options, added] : options,
    firstIsMeant: !isWhole && !mayEndBefore && found[0]?.begins === true,
  }
}

/** The result of taking a suggestion: the new text, the position of the caret, and the list that was meant. */
export interface Taken {
  text: string
  caret: number
  /** The id of the meant list if several lists have the name in the text. */
  named?: string
  /** The id of the meant list if a marker would be read as another list. The text then contains no marker. */
  chosen?: string
}

export function taken(
  text: string,
  { from, to }: TypedMarker,
  suggestion: Suggestion<Named>,
  context: QuickAddContext,
): Taken {
  const [before, after] = [text.slice(0, from), text.slice(to)]
  const word = `${before}${wordFor(suggestion, before)}`
  const whole = /^[\s,]/.test(after) ? `${word}${after}` : `${word} ${after}`
  const caret = word.length + (after.startsWith(',') ? 0 : 1)
  if (suggestion.kind !== 'list') return { text: whole, caret }
  const { id } = suggestion.list
  const read = markersIn(whole, context, quotedIn(whole)).find((marker) => marker.kind === 'list')
  const ids = read?.list.ids ?? []
  if (ids.includes(id)) return { text: whole, caret, ...(ids.length > 1 && { named: id }) }
  return { text: `${before}${after.trimStart()}`, caret: from, chosen: id }
}

function wordFor(suggestion: Suggestion<Named>, before: string): string {
  switch (suggestion.kind) {
    case 'list':
      return `@${suggestion.list.name}`
    case 'new list':
      return `@${inQuotesIfNeeded(suggestion.name, before)}`
    case 'priority':
      return `!${suggestion.word}`
    default:
      return `#${inQuotesIfNeeded(suggestion.tag, before)}`
  }
}

/** A straight quote earlier in the text might pair with the first straight quote of the name, so use curly quotes then. */
function inQuotesIfNeeded(name: string, before: string): string {
  if (wordAt(name, 0).word === name) return name
  return before.includes('"') ? `“${name}”` : `"${name}"`
}
