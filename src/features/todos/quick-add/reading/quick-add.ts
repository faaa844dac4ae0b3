import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import type { Priority } from '#features/todos/todo/todo-row.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Language } from '#platform/language/language.ts'
import type { NumberOrder } from '#platform/language/typed-date.ts'

/** What a text typed into quick add says about the task. */
export interface QuickAdd {
  /** The text without its parts; all of it if nothing else would be left. */
  title: string
  /** Of a task that repeats, the first day of its series. */
  due_day: Day | null
  /** When to remind of it on the due day, in minutes after midnight. Never without a due day. */
  time: number | null
  repeat: RepeatRule | null
  list: QuickAddList | null
  /** As they were spelled, each once. */
  tags: string[]
  priority: Priority
  /** In the order of the text; they never overlap. */
  parts: QuickAddPart[]
}

export interface QuickAddList {
  /** As the list spells it, or as it was typed if there is none. */
  name: string
  /** Those of that name: none if it would be new, two or more if somebody has to choose. */
  ids: string[]
}

/**
 * A piece of the text that isn't part of the title, by UTF-16 offsets into the text as it was typed. It may end or begin with the
 * comma or the period that goes with it. Of 'fri 9am' two parts come one after the other; 'tomorrow morning' is one, `due`, which
 * gives the time, too, and 'until 5 dec' belongs to the `repeat` before it.
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
  /** In which the text is written. */
  language: Language
  /** Those that a task can be put into. */
  lists: readonly { id: string; name: string }[]
  /**
   * The pieces of the text that this draft keeps in its title: parts that were refused, or all that was typed by then, to keep every
   * word of it. Case makes no difference.
   */
  refused: readonly string[]
}
