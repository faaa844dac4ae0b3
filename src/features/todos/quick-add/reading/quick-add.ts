import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import type { Priority } from '#features/todos/todo/todo-row.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Language } from '#platform/language/language.ts'
import type { NumberOrder } from '#platform/language/typed-date.ts'

/** The result of reading a text that was typed into quick add. */
export interface QuickAdd {
  /** The text without its recognized parts; the whole text if nothing else would be left. */
  title: string
  /** The due day; for a repeating task, the first day of its series. */
  due_day: Day | null
  /** When to remind of the task on its due day, in minutes after midnight. Null without a due day. */
  time: number | null
  repeat: RepeatRule | null
  list: QuickAddList | null
  /** The tags as typed, each once. */
  tags: string[]
  priority: Priority
  /** The recognized parts in the order of the text. They never overlap. */
  parts: QuickAddPart[]
}

export interface QuickAddList {
  /** The name as the existing list spells it, or as typed for a new list. */
  name: string
  /** The ids of the lists with that name. Empty for a new list; with two or more, the person must choose one. */
  ids: string[]
}

/**
 * A recognized range of the text, which is not part of the title. `from` and `to` are UTF-16 offsets into the typed text. A part
 * may include the comma or period next to it. 'fri 9am' is two parts; 'tomorrow morning' is one part of kind `due` that also sets
 * the time; 'until 5 dec' belongs to the `repeat` part before it.
 */
export interface QuickAddPart {
  from: number
  to: number
  kind: PartKind
}

export type PartKind = 'due' | 'time' | 'repeat' | 'list' | 'tag' | 'priority'

export interface QuickAddContext {
  today: Day
  weekStart: WeekStart
  numberOrder: NumberOrder
  /** The language of the text. */
  language: Language
  /** The lists that a task can be added to. */
  lists: readonly { id: string; name: string }[]
  /**
   * Phrases of the text that stay in the title: recognized parts that the person rejected, or the whole text so far, to keep
   * every word. Compared regardless of case.
   */
  refused: readonly string[]
}
