import type { Occurrence } from '#features/todos/repeat/rule/repeat.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { ImportColumns } from '#platform/database/import-columns.ts'
import type { Priority } from '../todo-row.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    todos: TodosTable
    todo_tags: TodoTagsTable
    todo_days: TodoDaysTable
    tag_changes: TagChangesTable
  }
}

/** Each editable field has the instant of its last change beside it: the last change wins. */
interface TodosTable extends ImportColumns {
  user_id: string
  id: string
  title: string
  title_at: Instant
  completed: 0 | 1
  completed_on: Day | null
  completed_at: Instant | null
  completed_changed_at: Instant
  due_day: Day | null
  due_day_at: Instant
  /** When to remind of what is due, as JSON: then there is no instant. */
  reminder: string | null
  remind_at: Instant | null
  remind_changed_at: Instant
  /** The instant of the reminder that was last delivered or skipped: it is not delivered again, whatever arrives late. */
  reminded_at: Instant | null
  /** null: in no list. No foreign key: the list may arrive later, or be gone. */
  list_id: string | null
  list_id_at: Instant
  /** null while nobody has moved it: it stands where its creation puts it. */
  position: string | null
  position_at: Instant
  /** null: it stands alone. No foreign key: the parent may arrive later, or be gone. */
  parent_id: string | null
  parent_id_at: Instant
  note: string
  note_at: Instant
  priority: Priority
  priority_at: Instant
  /** In minutes. */
  estimate: number | null
  estimate_at: Instant
  /** By what rule it comes back, as JSON. */
  repeat: string | null
  repeat_at: Instant
  /** Occurrences of long ago, summed up (`KeptEarlier`), as JSON; null while each is read. Written with `todo_days`. */
  earlier: string | null
  /** The day before which they are summed up. */
  earlier_before: Day | null
  /** How often it was done, of all its occurrences: so that nobody counts those of years. Written with `todo_days`. */
  times_done: number
  /** What readers get of `todo_tags`, as JSON; null while there are none. Written with them, under the lock of this row. */
  tags: string | null
  /** When all of the tags were last set at once: an earlier change of one is ignored. */
  tags_at: Instant
  created_at: Instant
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

/**
 * When each tag was added to a to-do and removed from it. All of it is kept, because a renaming that arrives late has to know
 * which to-dos had the tag then (`merged-tags.ts`).
 */
interface TodoTagsTable {
  user_id: string
  todo_id: string
  /** What tells tags apart (`tagKey`). */
  tag: string
  /** As it is shown. */
  spelling: string
  is_on: 0 | 1
  changed_at: Instant
}

/** What became of the occurrences of to-dos that repeat, and of their subtasks on those days. */
interface TodoDaysTable {
  user_id: string
  todo_id: string
  /** On which the occurrence was due by the rule. */
  day: Day
  state: Occurrence['state']
  /** When it was done or skipped, by the person's own days. */
  done_on: Day | null
  /** 0: nobody has settled it. */
  changed_at: Instant
  /** The day to which this occurrence was moved. */
  moved_to: Day | null
  /** 0: nobody has moved it. */
  moved_at: Instant
  /** The import that brought it. */
  import_id: string | null
  imported_at: Instant | null
}

/** When tags were renamed or removed on all to-dos: one that was added before, but arrives later, follows. */
interface TagChangesTable {
  user_id: string
  tag: string
  /** As it is shown. Null: it was removed. */
  renamed_to: string | null
  changed_at: Instant
}
