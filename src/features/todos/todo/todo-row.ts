import * as z from 'zod/mini'
import {
  daySchema,
  instantFromWire,
  instantTextSchema,
  lastChoosable,
  longAgo,
} from '#platform/calendar/day.ts'
import { newestFirst, positionSchema } from '#platform/order/position.ts'
import { positionField, unmoved } from '#platform/order/position-field.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { storedJson } from '#platform/wire/stored-json.ts'
import type { Columns, Fields } from '#platform/wire/synced-row.ts'
import { isStorable, textSchema } from '#platform/wire/text.ts'
import { sentRuleSchema } from '../repeat/rule/repeat-rule.ts'
import { storedTags, tagsSchema } from './tags.ts'
import { type TodoReminder, todoReminderSchema } from './todo-reminder.ts'

export const completedSchema = z.union([z.literal(0), z.literal(1)], 'Expected 0 or 1')

export const titleSchema = textSchema('Title', 500)

const dueDaySchema = daySchema.check(z.refine((day) => day <= lastChoosable, 'Expected a day before 2200'))

const [firstReminder, endOfReminders] = [Date.UTC(2000, 0, 1), Date.UTC(2200, 0, 1)]
export const remindAtSchema = instantTextSchema.check(
  z.refine((text) => {
    const instant = instantFromWire(text)
    return instant >= firstReminder && instant < endOfReminders
  }, 'Expected an instant from 2000 to 2199'),
)

/** 0 to 3: none, low, medium and high. */
export const prioritySchema = z.union(
  [z.literal(0), z.literal(1), z.literal(2), z.literal(3)],
  'Expected a priority from 0 to 3',
)
export type Priority = z.infer<typeof prioritySchema>

export const longestNote = 10_000
/** The note is kept as typed, with its line breaks. */
export const noteSchema = z
  .string('Note must be text')
  .check(
    z.maxLength(longestNote, `Note must not exceed ${longestNote} characters`),
    z.refine(isStorable, "Note contains characters that can't be stored"),
  )

/** The longest estimate, in minutes. */
export const longestEstimate = 5_999
const estimateSchema = z
  .int('Expected whole minutes')
  .check(
    z.minimum(1, 'Expected at least 1 minute'),
    z.maximum(longestEstimate, `Expected at most ${longestEstimate} minutes`),
  )

const position = positionField(newestFirst)

/** The position by which a to-do is sorted, whether its row comes from the server or from this device. */
export const { positionOf } = position

const ruleSchema = z.record(z.string(), z.unknown())

/** How a repeat rule is stored: as JSON. A rule of a newer version is kept whole, even if this version cannot read it. */
const storedRepeat = {
  toColumns: (repeat: unknown): { repeat: string | null } => ({
    repeat: repeat === null ? null : JSON.stringify(repeat),
  }),
  fromColumns: ({ repeat }: Columns): unknown => (typeof repeat === 'string' ? parsedRule(repeat) : null),
}

/**
 * Parses each distinct text once and returns the same object, so that `ruleOf` also reads it once: rows are read again and again.
 */
function parsedRule(text: string): unknown {
  const known = parsedRules.get(text)
  if (known !== undefined) return known
  if (parsedRules.size === mostParsedRules) parsedRules.clear()
  const parsed = storedJson(ruleSchema, text) ?? null
  parsedRules.set(text, parsed)
  return parsed
}

const parsedRules = new Map<string, unknown>()
const mostParsedRules = 10_000

/** How a reminder is stored: as JSON. */
const storedReminder = {
  toColumns: (reminder: TodoReminder | null): { reminder: string | null } => ({
    reminder: reminder === null ? null : JSON.stringify(reminder),
  }),
  fromColumns: ({ reminder }: Columns): unknown => storedJson(todoReminderSchema, reminder) ?? null,
}

/** Every field of a to-do, in the order in which they are sent. */
export const todoRow = {
  id: { wire: z.string(), accepts: rowIdSchema },
  title: { wire: z.string(), accepts: titleSchema, none: 'Untitled', changedAt: 'title_at', label: 'Title' },
  // These three fields change together, by a request of their own.
  completed: { wire: z.union([z.literal(0), z.literal(1)]), accepts: completedSchema, initial: 0 },
  completed_at: {
    wire: z.nullable(instantTextSchema),
    initial: null,
    stored: 'instant',
  },
  /** The person's own day on which the to-do was completed. */
  completed_on: { wire: z.nullable(daySchema), initial: null, visibility: 'file-only' },
  /** The person's own day by which the to-do is due. */
  due_day: {
    wire: z.nullable(daySchema),
    accepts: z.nullable(dueDaySchema),
    whenMissing: null,
    changedAt: 'due_day_at',
    label: 'Due date',
  },
  /** When to remind the person, relative to the due day. Used instead of an instant, and changed together with `remind_at`. */
  reminder: {
    wire: z.nullable(todoReminderSchema),
    whenMissing: null,
    changedAt: 'remind_changed_at',
    label: 'Reminder',
    stored: storedReminder,
  },
  /** The instant at which to remind the person. With a `reminder`, the server computes this instant for each response. */
  remind_at: {
    wire: z.nullable(instantTextSchema),
    accepts: z.nullable(remindAtSchema),
    whenMissing: null,
    stored: 'instant',
    changedAt: 'remind_changed_at',
    label: 'Reminder',
  },
  /** The list that the to-do is in. If that list does not exist, the to-do is in none. */
  list_id: {
    wire: z.nullable(z.string()),
    accepts: z.nullable(rowIdSchema),
    whenMissing: null,
    changedAt: 'list_id_at',
    label: 'List',
  },
  /** The place in the order of all to-dos (`positionOf`). */
  position: {
    wire: z.string(),
    accepts: positionSchema,
    whenMissing: unmoved,
    changedAt: 'position_at',
    label: 'Place',
    stored: position.stored,
  },
  /** The to-do that this one is a subtask of. If the parent does not exist, this one stands alone (`subtasks.ts`). */
  parent_id: {
    wire: z.nullable(z.string()),
    accepts: z.nullable(rowIdSchema),
    whenMissing: null,
    changedAt: 'parent_id_at',
    label: 'Parent',
  },
  note: { wire: z.string(), accepts: noteSchema, whenMissing: '', changedAt: 'note_at', label: 'Note' },
  priority: { wire: prioritySchema, whenMissing: 0, changedAt: 'priority_at', label: 'Priority' },
  /** How long the task will take, in minutes. */
  estimate: {
    wire: z.nullable(z.number()),
    accepts: z.nullable(estimateSchema),
    whenMissing: null,
    changedAt: 'estimate_at',
    label: 'Estimate',
  },
  /** The repeat rule (`ruleOf`). Has no effect on a subtask. */
  repeat: {
    wire: z.nullable(ruleSchema),
    accepts: z.nullable(sentRuleSchema),
    whenMissing: null,
    changedAt: 'repeat_at',
    label: 'Repeat',
    stored: storedRepeat,
  },
  /** Each tag merges on its own, in the table `todo_tags`. */
  tags: { wire: z.array(z.string()), accepts: tagsSchema, whenMissing: [], stored: storedTags },
  created_at: { wire: instantTextSchema, stored: 'instant', none: longAgo },
  updated_at: { wire: instantTextSchema, stored: 'instant', none: longAgo },
} as const satisfies Fields
