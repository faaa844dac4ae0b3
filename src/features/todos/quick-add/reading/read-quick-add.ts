import { tagKey } from '#features/todos/todo/tags.ts'
import { type EndPhrase, endPhrases, type PlacedWord } from './end-phrases.ts'
import { markersIn } from './markers.ts'
import type { PartKind, QuickAdd, QuickAddContext, QuickAddPart } from './quick-add.ts'
import { ruleFrom } from './repeat-phrase.ts'
import { isSpace, overlap, quotedIn, type Span, type Word, wordsOf } from './words.ts'

/**
 * Reads a task from a text: phrases at its end, and markers (`@list`, `#tag`, `!priority`) anywhere. Quoted text and rejected
 * phrases are never read. Everything else is the title; if the title would be empty, the whole text is the title.
 */
export function readQuickAdd(text: string, context: QuickAddContext): QuickAdd {
  const words = wordsOf(text)
  const quoted = quotedIn(text)
  const refused = refusedIn(words, context.refused)
  const markers = markersIn(text, context, [...quoted, ...refused])
  const passedOver = [...markers, ...refused]
  const stateOf = (word: Word): PlacedWord['state'] => {
    if (passedOver.some((span) => overlap(span, word))) return 'passed over'
    return quoted.some((span) => overlap(span, word)) ? 'literal' : 'free'
  }
  const placed = words.map((word) => ({ ...word, state: stateOf(word) }))
  const marked = markers.find((marker) => marker.kind === 'priority')
  const dates = datesOf(endPhrases(text, placed, context, marked ? ['priority'] : []), context)
  const phrase = dates.phrases.find((each) => each.kind === 'priority')
  const parts = partsOf(text, [
    ...markers,
    ...dates.phrases.map(({ from, to, kind }) => ({ from, to, kind: partKind(kind, dates) })),
  ])
  const title = titleOf(text, parts)
  if (title === '') return { ...nothing, title: text.trim() }
  return {
    title,
    due_day: dates.due_day,
    time: dates.time,
    repeat: dates.repeat,
    list: markers.find((marker) => marker.kind === 'list')?.list ?? null,
    tags: eachOnce(markers.flatMap((marker) => (marker.kind === 'tag' ? [marker.tag] : []))),
    priority: (marked ?? phrase)?.priority ?? 0,
    parts,
  }
}

const nothing = {
  due_day: null,
  time: null,
  repeat: null,
  list: null,
  tags: [],
  priority: 0,
  parts: [],
} satisfies Partial<QuickAdd>

/** The spans of the rejected phrases in the text. */
export function refusedIn(words: readonly Word[], phrases: readonly string[]): Span[] {
  return phrases.map(wordsOf).flatMap((phrase) =>
    words.flatMap((word, place) => {
      const isThere = phrase.every(({ bare }, offset) => words[place + offset]?.bare === bare)
      const last = phrase.length === 0 ? undefined : words[place + phrase.length - 1]
      return isThere && last ? [{ from: word.from, to: last.to }] : []
    }),
  )
}

function eachOnce(tags: readonly string[]): string[] {
  const keys = tags.map(tagKey)
  return tags.filter((_, place) => keys.indexOf(keys[place] ?? '') === place)
}

interface Dates extends Pick<QuickAdd, 'due_day' | 'time' | 'repeat'> {
  /** The phrases that the dates come from, without ignored ones. */
  phrases: readonly EndPhrase[]
}

/**
 * Combines phrases into dates. `phrases` begins with the last phrase of the text. A phrase that contradicts a later phrase of the
 * text is ignored, and so is everything before it.
 */
function datesOf(phrases: readonly EndPhrase[], context: QuickAddContext): Dates {
  const one = <Kind extends EndPhrase['kind']>(kind: Kind) =>
    phrases.find((phrase): phrase is Extract<EndPhrase, { kind: Kind }> => phrase.kind === kind)
  const before = (...kinds: EndPhrase['kind'][]) => {
    const wrong = phrases.findLastIndex(({ kind }) => kinds.includes(kind))
    return datesOf(phrases.slice(0, wrong), context)
  }

  const [due, until, start, repeat, times] = [
    one('due'),
    one('until'),
    one('start'),
    one('repeat'),
    one('times'),
  ]
  const time = one('time')?.time ?? repeat?.partOfDay ?? due?.partOfDay ?? null
  if (!repeat) {
    if (start || times) return before('start', 'times')
    if (due && until) return before('due', 'until')
    const day = (due ?? until)?.day ?? (time === null ? null : context.today)
    return { phrases, due_day: day, time, repeat: null }
  }
  if (due && start) return before('due', 'start')
  const { today, weekStart } = context
  const ends = { ...(until && { until: until.day }), ...(times && { times: times.times }) }
  const rule = ruleFrom(repeat.repeat, ends, { base: (start ?? due)?.day ?? today, weekStart })
  return rule ? { phrases, due_day: rule.from, time, repeat: rule } : before(until ? 'until' : 'repeat')
}

function partKind(kind: EndPhrase['kind'], { repeat }: Dates): PartKind {
  if (kind === 'start') return 'due'
  if (kind === 'times') return 'repeat'
  if (kind === 'until') return repeat ? 'repeat' : 'due'
  return kind
}

/**
 * The parts in the order of the text. Adjacent `repeat` phrases, such as 'every day until Friday', become one part, and a comma
 * between two parts joins the first.
 */
function partsOf(text: string, unordered: readonly QuickAddPart[]): QuickAddPart[] {
  const parts: QuickAddPart[] = []
  for (const { from, to, kind } of unordered.toSorted((one, other) => one.from - other.from)) {
    const last = parts.at(-1)
    const between = last && text.slice(last.to, from)
    if (last && between && isCommas(between)) last.to += between.trimEnd().length
    if (last?.kind === 'repeat' && kind === 'repeat' && between && isSpace(between)) last.to = to
    else parts.push({ from, to, kind })
  }
  return parts
}

function isCommas(text: string): boolean {
  return text.includes(',') && /^[\s,]+$/.test(text)
}

/** The text without its parts, with single spaces where parts were. */
function titleOf(text: string, parts: readonly Span[]): string {
  const ends = [0, ...parts.map(({ to }) => to)]
  const pieces = ends.map((from, place) => text.slice(from, parts[place]?.from).trim())
  return pieces
    .filter((piece) => piece !== '')
    .reduce((title, piece) => (/^[,.;:!?)]/.test(piece) ? `${title}${piece}` : `${title} ${piece}`), '')
    .trim()
}
