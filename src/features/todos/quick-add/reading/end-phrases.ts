import type { Day } from '#platform/calendar/day.ts'
import type { Language } from '#platform/language/language.ts'
import { dayIn, timeIn } from '#platform/language/typed-date.ts'
import type { QuickAddContext } from './quick-add.ts'
import { type RepeatPhrase, repeatIn, timesIn } from './repeat-phrase.ts'
import { isSpace, type Span, type Word } from './words.ts'

/** The meaning of a phrase at the end of the text. */
export type Meaning =
  | { kind: 'due'; day: Day; partOfDay: number | undefined }
  /** The last day of a repeating task; the due day of any other task. */
  | { kind: 'until'; day: Day }
  /** The first day of a repeating task. */
  | { kind: 'start'; day: Day }
  | { kind: 'time'; time: number }
  | { kind: 'repeat'; repeat: RepeatPhrase; partOfDay: number | undefined }
  | { kind: 'times'; times: number }
  | { kind: 'priority'; priority: 1 | 2 | 3 }

export type EndPhrase = Meaning & Span

export interface PlacedWord extends Word {
  /**
   * 'free' words can be part of a phrase; 'literal' words end the search; 'passed over' words are skipped, as if they were not
   * there.
   */
  state: 'free' | 'literal' | 'passed over'
}

/** The longest phrase, in words. */
const longestPhrase = 12

/** The phrases at the end of the text, the last one first. Each kind is found at most once. */
export function endPhrases(
  text: string,
  words: readonly PlacedWord[],
  context: QuickAddContext,
  /** Kinds of phrases that are not looked for. */
  known: readonly Meaning['kind'][],
): EndPhrase[] {
  const found: EndPhrase[] = []
  for (let last = words.length - 1; last >= 0; ) {
    if (words[last]?.state === 'passed over') {
      last--
      continue
    }
    const phrase = longestPhraseAt(
      words,
      last,
      context,
      new Set([...known, ...found.map(({ kind }) => kind)]),
    )
    if (!phrase || isPartOfSentence(text, words, { ...phrase, last }, context)) break
    found.push({ ...phrase.meaning, ...spanOf(text, words, phrase.first, last) })
    last = phrase.first - 1
  }
  return found
}

interface Found {
  first: number
  meaning: Meaning
}

/**
 * Finds the longest phrase that ends at the word `last`. `isPartOfSentence` may reject that phrase; a shorter one is not tried
 * then, as it would leave half of the phrase in the title.
 */
function longestPhraseAt(
  words: readonly PlacedWord[],
  last: number,
  context: QuickAddContext,
  known: ReadonlySet<Meaning['kind']>,
): Found | undefined {
  let first = last + 1
  while (first > 0 && last - first < longestPhrase - 1 && words[first - 1]?.state === 'free') first--
  for (; first <= last; first++) {
    // In 'stop by tomorrow', 'by' belongs to the verb, so the date is only 'tomorrow'.
    if (context.language.verbs.has(`${words[first - 1]?.bare} ${words[first]?.bare}`)) continue
    const phrase = words.slice(first, last + 1)
    const meaning = meaningOf(
      phrase.map(({ plain }) => plain),
      context,
      known,
    )
    if (meaning) return { first, meaning }
    const ends = phrase.at(-1)
    if (!ends || ends.bare === ends.plain) continue
    // The point in '24.12.' belongs to the date. The point in 'tomorrow.' ends the sentence, so try without it.
    const ended = meaningOf(
      phrase.map((word) => (word === ends ? word.bare : word.plain)),
      context,
      known,
    )
    if (ended) return { first, meaning: ended }
  }
}

function meaningOf(
  words: readonly string[],
  context: QuickAddContext,
  known: ReadonlySet<Meaning['kind']>,
): Meaning | undefined {
  const { language, today } = context
  const led = (leads: readonly string[]) =>
    afterLead(words, leads)
      .map((rest) => dayIn(rest, context, 'led'))
      .find((day) => day !== undefined)

  const partOfDay = language.partsOfDay.get(words.at(-1) ?? '')
  const repeat = known.has('repeat') ? undefined : repeatIn(words, language)
  if (repeat) return { kind: 'repeat', repeat, partOfDay }
  const day = known.has('due')
    ? undefined
    : (dayIn(words, context, 'always') ??
      (partOfDay === undefined ? led(language.beforeDue) : dayIn(words.slice(0, -1), context, 'always')))
  // A day in the past is not a due day.
  if (day !== undefined && day >= today) return { kind: 'due', day, partOfDay }
  const until = known.has('until') ? undefined : led(language.beforeEnd)
  if (until !== undefined && until >= today) return { kind: 'until', day: until }
  const start = known.has('start') ? undefined : led(language.beforeStart)
  if (start !== undefined && start >= today) return { kind: 'start', day: start }
  const time = known.has('time') ? undefined : timeIn(words, language)
  if (time !== undefined) return { kind: 'time', time }
  const times = known.has('times') ? undefined : timesIn(words, language)
  if (times !== undefined) return { kind: 'times', times }
  const priority = known.has('priority') ? undefined : language.priorityPhrases.get(words.join(' '))
  return priority && { kind: 'priority', priority }
}

/**
 * A lead is one or more words before a date, such as 'until'. For each lead that the words begin with, returns the words after
 * it.
 */
export function afterLead(words: readonly string[], leads: readonly string[]): string[][] {
  return leads
    .map((lead) => lead.split(' '))
    .filter((lead) => lead.length < words.length && lead.every((word, place) => word === words[place]))
    .map((lead) => words.slice(lead.length))
}

/**
 * Whether the phrase only looks like a date or time, but is part of the sentence: 'stay in the sun', 'watch Freaky Friday', 'call
 * Tom'.
 */
function isPartOfSentence(
  text: string,
  words: readonly PlacedWord[],
  { first, last, meaning }: Found & { last: number },
  { language }: QuickAddContext,
): boolean {
  const [before, word] = [words[first - 1], words[first]]
  if (!word) return false
  const isOneWord = first === words.length - 1 || words[first + 1]?.state !== 'free'
  const isPerson = isOneWord && language.people.names.has(word.bare)
  if (isPerson && isCapitalized(text, word) && !isCapitalized(text, word, 1)) return true
  if (before?.state !== 'free') return false
  if (isPerson && language.people.after.has(before.bare)) return true
  if (isNamed(before, language)) return true
  // Do not take only the last day of 'mon wed fri', or only the last time of '3 - 4pm'.
  if (meaning.kind === 'due' && isWeekday(before, language) && !isNamed(words[first - 2], language))
    return true
  if (meaning.kind === 'time' && /^[-–—]$/.test(before.plain)) return true
  const isVerb = language.verbs.has(`${words[first - 2]?.bare} ${before.bare}`)
  if (language.partOfSentence.has(before.bare) && !isVerb) return true
  if (!language.beforeWorks.has(words[0]?.plain ?? '')) return false
  if (first > 1 && !isCapitalized(text, before)) return false
  if (first > 1 && isCapitalized(text, word)) return true
  // Titles such as 'The Day After Tomorrow' or 'Darkness at Noon' capitalize words that a sentence would not.
  return first < last && words.slice(first, last + 1).some((each) => isInName(text, each, language))
}

/** Whether the word is capitalized as part of a name. Weekdays and months do not count, because they are always capitalized. */
function isInName(text: string, word: Word, language: Language): boolean {
  if (isWeekday(word, language) || language.months.some((names) => names.includes(word.bare))) return false
  return isCapitalized(text, word) && !isCapitalized(text, word, 1)
}

function isWeekday({ bare }: Word, { weekdays }: Language): boolean {
  return weekdays.some((names) => names.includes(bare))
}

/** Whether the word turns the weekday after it into a name, as in 'Black Friday'. */
function isNamed(word: Word | undefined, { beforeNames }: Language): boolean {
  return word !== undefined && beforeNames.has(word.bare)
}

function isCapitalized(text: string, { from }: Word, at = 0): boolean {
  const character = text.charAt(from + at)
  return character !== character.toLowerCase()
}

/** The span of the phrase, with the comma before it and, at the end of the text, any punctuation after it. */
function spanOf(text: string, words: readonly PlacedWord[], first: number, last: number): Span {
  let from = words[first]?.from ?? 0
  const before = words[first - 1]?.to ?? 0
  for (let place = from - 1; place >= before; place--) {
    if (!isSpace(text.charAt(place))) from = place
  }
  return { from, to: last === words.length - 1 ? withoutSpaceAfter(text) : (words[last]?.to ?? 0) }
}

function withoutSpaceAfter(text: string): number {
  return text.trimEnd().length
}
