import * as z from 'zod/mini'
import { type Day, daySchema, instantTextSchema } from '#platform/calendar/day.ts'
import { positionInFileSchema, unmoved } from '#platform/order/position-field.ts'
import { addedSchema, type FileRows, importCountsSchema } from '#platform/wire/file-rows.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { fileShape } from '#platform/wire/synced-row.ts'
import { addedAmountSchema, setAmountSchema } from '../amounts/amounts.ts'
import { dayNoteSchema } from '../habit/habit.ts'
import { settlesSchema } from '../habit/habit-requests.ts'
import { habitRow } from '../habit/habit-row.ts'
import { fileRhythmSchema } from '../rhythm/rhythm-schema.ts'

/**
 * A habit as it is imported. Its days are sent separately, since there can be many. Files from older builds have no `rhythms`:
 * `frequency` then says how often the habit is due.
 */
const importedHabitSchema = z.object({
  ...fileShape(habitRow),
  position: z._default(positionInFileSchema, unmoved),
  frequency: z._default(z.enum(['daily', 'weekly'], 'Expected daily or weekly'), 'daily'),
  rhythms: z._default(z.array(fileRhythmSchema), []),
})
export type ImportedHabit = z.infer<typeof importedHabitSchema>

const noteOfDaySchema = z.object({ day: daySchema, note: dayNoteSchema })

/**
 * One entry: it adds to the amount of a day, or sets the amount if `set` is true. `settles` holds the ids of the added amounts
 * and sessions that a set replaced.
 */
const exportedAmountSchema = z
  .object({
    id: rowIdSchema,
    day: daySchema,
    value: z.int('Expected an amount in whole thousandths'),
    set: z._default(z.boolean(), false),
    settles: z._default(settlesSchema, []),
    at: instantTextSchema,
  })
  .check(
    z.refine(({ set, value }) => (set ? setAmountSchema : addedAmountSchema).safeParse(value).success, {
      path: ['value'],
      message: 'Expected an amount from 1 to 1,000,000,000 thousandths, or one from 0 that is set',
    }),
  )
export type ExportedAmount = z.infer<typeof exportedAmountSchema>

/** A habit as it is exported, with everything about its days. */
const exportedHabitSchema = z.extend(importedHabitSchema, {
  completions: z.array(daySchema),
  skips: z._default(z.array(daySchema), []),
  notes: z._default(z.array(noteOfDaySchema), []),
  amounts: z._default(z.array(exportedAmountSchema), []),
})
export type ExportedHabit = z.infer<typeof exportedHabitSchema>

/** Schema of one kind of data about some days of a habit, such as its completions or its notes. */
function daysOfHabitSchema<DayOfHabit extends z.ZodMiniType>(day: DayOfHabit) {
  return z.object({ habit_id: rowIdSchema, days: z.array(day) })
}
const importedCompletionsSchema = daysOfHabitSchema(daySchema)
export type ImportedCompletions = z.infer<typeof importedCompletionsSchema>
const importedNotesSchema = daysOfHabitSchema(noteOfDaySchema)
export type ImportedNotes = z.infer<typeof importedNotesSchema>
const importedAmountsSchema = daysOfHabitSchema(exportedAmountSchema)
export type ImportedAmounts = z.infer<typeof importedAmountsSchema>
const importedRhythmsSchema = z.object({ habit_id: rowIdSchema, rhythms: z.array(fileRhythmSchema) })
export type ImportedRhythms = z.infer<typeof importedRhythmsSchema>

/**
 * The most habits per piece (the part of a file that one request imports), for completions and for each other kind of data about
 * days.
 */
const mostHabitsPerPiece = 100
/** The most completions of one habit per row. A habit of ten years is split into several rows. */
const mostDaysPerRow = 1_000
/** The most rhythms that are sent together with their habit: with the longest description, they still fit into one request. */
const mostRhythmsWithHabit = 50
/** The most characters of JSON in a row that has long entries. */
const mostCharactersPerRow = 15_000

const nones = {
  frequency: 'daily',
  rhythms: [],
  'rhythms.rhythm': null,
  'rhythms.target': null,
  completions: [],
  skips: [],
  notes: [],
  amounts: [],
}

export const habitsInFiles = {
  row: exportedHabitSchema,
  fields: habitRow,
  nones,
  pieceCollections: {
    habits: {
      row: importedHabitSchema,
      one: 'habit',
      days: (habit: ImportedHabit) => [['start_date', habit.start_date]] as const,
      response: importCountsSchema,
      asksFor: 'ids',
    },
    rhythms: {
      row: importedRhythmsSchema,
      most: ofAtMost('Expected rhythms'),
      one: 'rhythm change',
      count: ({ rhythms }: ImportedRhythms) => rhythms.length,
      days: () => [],
      response: addedSchema,
    },
    completions: {
      row: importedCompletionsSchema,
      most: ofAtMost('Expected completions'),
      one: 'completion',
      count: ({ days }: ImportedCompletions) => days.length,
      days: ({ days }: ImportedCompletions) => days.map((day, nth) => [`days.${nth}`, day] as const),
      response: addedSchema,
      asksFor: 'days',
    },
    // Days in the future may be skipped or have a note, so no days are checked.
    skips: {
      row: importedCompletionsSchema,
      most: ofAtMost('Expected skipped days'),
      one: 'skipped day',
      count: ({ days }: ImportedCompletions) => days.length,
      days: () => [],
      response: addedSchema,
      asksFor: 'days',
    },
    notes: {
      row: importedNotesSchema,
      most: ofAtMost('Expected notes'),
      one: 'note',
      count: ({ days }: ImportedNotes) => days.length,
      days: () => [],
      response: addedSchema,
      asksFor: 'days',
    },
    amounts: {
      row: importedAmountsSchema,
      most: ofAtMost('Expected amounts'),
      one: 'amount',
      count: ({ days }: ImportedAmounts) => days.length,
      days: ({ days }: ImportedAmounts) => days.map(({ day }, nth) => [`days.${nth}.day`, day] as const),
      response: importCountsSchema,
      asksFor: 'entries',
    },
  },
  *split({ completions, skips, notes, amounts, rhythms, ...habit }: ExportedHabit) {
    const habit_id = habit.id
    yield ['habits', { ...habit, rhythms: rhythms.slice(0, mostRhythmsWithHabit) }]
    for (const some of inParts(rhythms.slice(mostRhythmsWithHabit))) {
      yield ['rhythms', { habit_id, rhythms: some }]
    }
    for (const days of inParts(completions)) yield ['completions', { habit_id, days }]
    for (const days of inParts(skips)) yield ['skips', { habit_id, days }]
    for (const days of inParts(notes)) yield ['notes', { habit_id, days }]
    for (const days of inParts(amounts)) yield ['amounts', { habit_id, days }]
  },
  lines: (habit: ExportedHabit) => [
    { what: 'habit', title: habit.name, id: habit.id },
    ...daysOf(habit).map((day) => ({
      what: 'day' as const,
      title: `${habit.name}, ${day}`,
      id: habit.id,
      day,
    })),
  ],
} as const satisfies FileRows

/** The days with a completion, skip, note or amount, in order. */
function daysOf({ completions, skips, notes, amounts }: ExportedHabit): Day[] {
  const days = [...completions, ...skips, ...notes.map(({ day }) => day), ...amounts.map(({ day }) => day)]
  return [...new Set(days)].toSorted()
}

function ofAtMost(words: string) {
  return [mostHabitsPerPiece, `${words} of at most ${mostHabitsPerPiece} habits`] as const
}

/** Splits entries into rows that are short enough for any request. A single entry always is. */
function* inParts<Entry extends Day | object>(entries: readonly Entry[]): Generator<Entry[]> {
  let part: Entry[] = []
  let characters = 0
  for (const entry of entries) {
    const more = JSON.stringify(entry).length
    if (part.length === mostDaysPerRow || (part.length > 0 && characters + more > mostCharactersPerRow)) {
      yield part
      part = []
      characters = 0
    }
    part.push(entry)
    characters += more
  }
  if (part.length > 0) yield part
}
