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

/** Each editable field has the instant of its last change in a column beside it: the last change wins. */
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
  /** When to remind, relative to the due day, as JSON. If set, `remind_at` is null. */
  reminder: string | null
  remind_at: Instant | null
  remind_changed_at: Instant
  /** The instant of the reminder that was last delivered or skipped. It is not delivered again, even if a change arrives late. */
  reminded_at: Instant | null
  /** null: the to-do is in no list. No foreign key: the list may arrive later, or be deleted. */
  list_id: string | null
  list_id_at: Instant
  /** null until somebody moves the to-do; until then, its creation decides the position. */
  position: string | null
  position_at: Instant
  /** null: the to-do has no parent. No foreign key: the parent may arrive later, or be deleted. */
  parent_id: string | null
  parent_id_at: Instant
  note: string
  note_at: Instant
  priority: Priority
  priority_at: Instant
  /** How long the task will take, in minutes. */
  estimate: number | null
  estimate_at: Instant
  /** The repeat rule, as JSON. */
  repeat: string | null
  repeat_at: Instant
  /**
   * The sum of long-past occurrences (`KeptEarlier`), as JSON; null while all of them are read one by one. Written with
   * `todo_days`.
   */
  earlier: string | null
  /** The sum covers the occurrences before this day. */
  earlier_before: Day | null
  /** How many occurrences were done in total, so that nobody has to count years of them. Written with `todo_days`. */
  times_done: number
  /** The tags as readers get them, as JSON; null if there are none. Written with `todo_tags`, under the lock of this row. */
  tags: string | null
  /** When all tags were last replaced at once. Earlier changes of single tags are ignored. */
  tags_at: Instant
  created_at: Instant
  updated_at: Instant
  /** When the to-do was deleted; null while it exists. */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

/**
 * When each tag was added to a to-do and removed from it. Removals are kept as well, because a renaming that arrives late must
 * know which to-dos had the tag at that time (`merged-tags.ts`).
 */
interface TodoTagsTable {
  user_id: string
  todo_id: string
  /** The key by which tags are compared (`tagKey`). */
  tag: string
  /** The tag as it is shown. */
  spelling: string
  is_on: 0 | 1
  changed_at: Instant
}

/** The state of the occurrences of repeating to-dos, and of their subtasks on those days. */
interface TodoDaysTable {
  user_id: string
  todo_id: string
  /** The day on which the rule made the occurrence due. */
  day: Day
  state: Occurrence['state']
  /** The person's own day on which the occurrence was done or skipped. */
  done_on: Day | null
  /** When the state was last changed; 0 if nobody has settled the occurrence. */
  changed_at: Instant
  /** The day to which the occurrence was moved. */
  moved_to: Day | null
  /** When the occurrence was last moved; 0 if never. */
  moved_at: Instant
  /** The import that added the occurrence. */
  import_id: string | null
  imported_at: Instant | null
}

/** When tags were renamed or removed on all to-dos. The change also applies to a tag that was added before, but arrives later. */
interface TagChangesTable {
  user_id: string
  tag: string
  /** The new name as it is shown; null if the tag was removed. */
  renamed_to: string | null
  changed_at: Instant
}
