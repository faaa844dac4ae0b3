import type { Todo } from '#features/todos/todo/todo.ts'
import { ruleOf } from '../rule/repeat-rule.ts'
import { repeatWords } from '../rule/repeat-words.ts'

/**
 * A to-do's repeat rule in words; undefined if it does not repeat. A subtask repeats with its parent, not by a rule of its own.
 */
export function repeatOf({ repeat, parent_id }: Todo): string | undefined {
  if (repeat === null || parent_id !== null) return undefined
  const rule = ruleOf(repeat)
  return rule ? repeatWords(rule) : 'by a rule of a newer version'
}
