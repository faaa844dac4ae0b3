import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { daySchema } from '#platform/calendar/day.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { english } from '#platform/language/english.ts'
import { readQuickAdd } from './read-quick-add.ts'

// Titles as people type them, written down before the reader of quick add was begun: so they are not what is easy to read. What is left out of an
// entry is none; a repeat is in the words of the repeat picker. `why`: where somebody might disagree.

interface Title {
  text: string
  title: string
  due_day?: string
  time?: string
  repeat?: string
  list?: string
  tags?: string[]
  priority?: number
  why?: string
}

interface Titles {
  today: string
  lists: string[]
  titles: Title[]
}

const titlesOf = (file: string): Titles => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
const { today, lists, titles } = titlesOf('corpus.json')

const reads = ({ text, title, why, ...parts }: Title) => Object.keys(parts).length > 0

test('there are at least 300 titles, and half of them say nothing but the title', () => {
  expect(titles.length).toBeGreaterThanOrEqual(300)
  expect(titles.filter((title) => !reads(title)).length).toBeGreaterThanOrEqual(titles.length / 2)
})

test('each is there once, has a title, and has it in its words', () => {
  expect(new Set(titles.map(({ text }) => text)).size).toBe(titles.length)
  for (const { text, title } of titles) {
    expect(title).not.toBe('')
    const words = text.split(/\s+/)
    for (const word of title.split(/\s+/))
      expect(
        words.some((each) => each.startsWith(word)),
        text,
      ).toBe(true)
  }
})

test('what says nothing is all title, and days are days from today on', () => {
  for (const title of titles) {
    if (!reads(title)) expect(title.title).toBe(title.text)
    if (title.due_day !== undefined) expect(daySchema.parse(title.due_day) >= today).toBe(true)
  }
})

/** What quick add reads, as an entry. */
function readTitle(text: string): Title {
  const { title, due_day, time, repeat, list, tags, priority } = readQuickAdd(text, {
    today: daySchema.parse(today),
    weekStart: 1,
    numberOrder: 'day first',
    language: english,
    lists: lists.map((name) => ({ id: name, name })),
    refused: [],
  })
  return {
    text,
    title,
    ...(due_day !== null && { due_day }),
    ...(time !== null && { time: timeOfDay(time) }),
    ...(repeat && { repeat: repeatWords(repeat) }),
    ...(list && { list: list.name }),
    ...(tags.length > 0 && { tags }),
    ...(priority > 0 && { priority }),
  }
}

const isRead = ({ why, ...title }: Title) => {
  const inOrder = (each: Title) => JSON.stringify(Object.entries(each).sort())
  return inOrder(readTitle(title.text)) === inOrder(title)
}

test('of the titles that say nothing, at most 2 % are taken for something else', () => {
  const plain = titles.filter((title) => !reads(title))
  const wrong = plain.filter((title) => !isRead(title)).map(({ text }) => text)
  expect(wrong.length / plain.length, wrong.join('\n')).toBeLessThanOrEqual(0.02)
})

test('of the others, at most 5 % are missed or misunderstood', () => {
  const telling = titles.filter(reads)
  const wrong = telling.filter((title) => !isRead(title)).map(({ text }) => text)
  expect(wrong.length / telling.length, wrong.join('\n')).toBeLessThanOrEqual(0.05)
})

// Of those by somebody who had not seen the grammar, 80 end as much like a date as they can.
test('of titles that nobody had in mind, at most 5 % are taken for something else, and 2 % are missed', () => {
  const later = titlesOf('later-titles.json')
  expect(later).toMatchObject({ today, lists })
  const [telling, plain] = [later.titles.filter(reads), later.titles.filter((title) => !reads(title))]
  const wrong = (of: Title[]) => of.filter((title) => !isRead(title)).map(({ text }) => text)
  expect(wrong(plain).length / plain.length, wrong(plain).join('\n')).toBeLessThanOrEqual(0.05)
  expect(wrong(telling).length / telling.length, wrong(telling).join('\n')).toBeLessThanOrEqual(0.02)
})

// Written like the list of one person, half of it with words that look like a date.
test('of titles as people write them every day, at most 2 % are taken for something else, and 5 % are missed', () => {
  const everyday = titlesOf('everyday-titles.json')
  expect(everyday).toMatchObject({ today, lists })
  const [telling, plain] = [everyday.titles.filter(reads), everyday.titles.filter((title) => !reads(title))]
  const wrong = (of: Title[]) => of.filter((title) => !isRead(title)).map(({ text }) => text)
  expect(wrong(plain).length / plain.length, wrong(plain).join('\n')).toBeLessThanOrEqual(0.02)
  expect(wrong(telling).length / telling.length, wrong(telling).join('\n')).toBeLessThanOrEqual(0.05)
})
