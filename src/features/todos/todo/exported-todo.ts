import * as z from 'zod/mini'
import { instantTextSchema } from '#platform/calendar/day.ts'
import { positionInFileSchema, unmoved } from '#platform/order/position-field.ts'
import { addedSchema, type FileRows, importCountsSchema } from '#platform/wire/file-rows.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { type AllOf, fileShape } from '#platform/wire/synced-row.ts'
import { occurrenceSchema } from '../repeat/rule/occurrences.ts'
import { todoRow } from './todo-row.ts'

const inFile = { ...fileShape(todoRow), position: z._default(positionInFileSchema, unmoved) }

const isWhole = ({
  completed,
  completed_at,
  completed_on,
}: Pick<AllOf<typeof todoRow>, 'completed' | 'completed_at' | 'completed_on'>) =>
  completed ? completed_at !== null && completed_on !== null : completed_at === null && completed_on === null
const notWhole = {
  path: ['completed_at'],
  message: 'Expected a completion time and day only for a completed task',
}

/** A to-do as it is imported, including the person's own day on which it was completed. */
const importedTodoSchema = z.object(inFile).check(z.refine(isWhole, notWhole))
export type ImportedTodo = z.infer<typeof importedTodoSchema>

/** The state of an occurrence, and when that state was written. */
const exportedDaySchema = z.extend(occurrenceSchema, { at: instantTextSchema }).check(
  z.refine(({ state, done_on }) => (state === 'open') === (done_on === null), {
    path: ['done_on'],
    message: 'Expected a day only for an occurrence that is done or skipped',
  }),
)
export type ExportedDay = z.infer<typeof exportedDaySchema>

/** A to-do as it is exported, with its occurrences if there are any. */
const exportedTodoSchema = z
  .object({ ...inFile, days: z.optional(z.array(exportedDaySchema)) })
  .check(z.refine(isWhole, notWhole))
export type ExportedTodo = z.infer<typeof exportedTodoSchema>

/** Some or all of the occurrences of a to-do. */
const importedDaysSchema = z.object({ todo_id: rowIdSchema, days: z.array(exportedDaySchema) })
export type ImportedDays = z.infer<typeof importedDaysSchema>

/** The most to-dos with occurrences in one piece of an import. A file is imported in pieces that fit into one request each. */
const mostTodosPerPiece = 100
/**
 * The most occurrences in one row of `todo_days`. More occurrences of a to-do are split into several rows, which may go into
 * different pieces.
 */
const mostDaysPerRow = 200

export const todosInFiles = {
  row: exportedTodoSchema,
  fields: todoRow,
  nones: { days: undefined },
  pieceCollections: {
    todos: {
      row: importedTodoSchema,
      one: 'task',
      days: (todo: ImportedTodo) => [['completed_on', todo.completed_on]] as const,
      response: importCountsSchema,
      asksFor: 'ids',
    },
    todo_days: {
      row: importedDaysSchema,
      most: [mostTodosPerPiece, `Expected occurrences of at most ${mostTodosPerPiece} tasks`],
      one: 'occurrence',
      count: ({ days }: ImportedDays) => days.length,
      // Pass only the days of done occurrences to the check: an occurrence may be skipped before it is due.
      days: ({ days }: ImportedDays) =>
        days.flatMap(({ state, done_on }, nth) =>
          state === 'done' ? [[`days.${nth}.done_on`, done_on] as const] : [],
        ),
      response: addedSchema,
    },
  },
  *split({ days = [], ...todo }: ExportedTodo) {
    yield ['todos', todo]
    for (let next = 0; next < days.length; next += mostDaysPerRow) {
      yield ['todo_days', { todo_id: todo.id, days: days.slice(next, next + mostDaysPerRow) }]
    }
  },
  lines: ({ id, title, parent_id }: ExportedTodo) => [
    { what: parent_id === null ? 'task' : 'subtask', title, id },
  ],
} as const satisfies FileRows
