import { dueChanges, pickedDue } from '#features/todos/dates/web/picked-due.ts'
import { doneSinceFirst, dueOf } from '#features/todos/todo/shown-todo.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import type { TodoActions } from '#features/todos/todo/web/todo-actions.ts'
import type { TodoFields } from '#features/todos/todo/web/todo-queries.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { rowElement } from '#platform/browser/rows/row-elements.ts'
import { type RepeatRule, ruleOf } from '../rule/repeat-rule.ts'
import { RepeatPicker } from './repeat-picker.tsx'

interface RepeatDialogProps {
  /** The to-do in its current state. Stays set while the dialog closes. */
  todo: Todo
  actions: TodoActions
  open: boolean
  onClose(): void
  /** Called with only the fields that the person changed. */
  save(changes: Partial<TodoFields>): void
}

/** Lets the person choose a to-do's repeat rule, and saves it. */
export function RepeatDialog({ todo, actions, open, onClose, save }: RepeatDialogProps) {
  const today = useToday()
  const { timeZone, weekStart } = useUserCalendar()
  const rule = todo.repeat && (ruleOf(todo.repeat) ?? null)
  const saveUndoably = (chosen: RepeatRule | null) => {
    save(repeatChanges(todo, chosen, timeZone))
    actions.offer(chosen === null ? 'Repeat removed' : rule ? 'Repeat changed' : 'Repeat added', todo)
  }
  return (
    <RepeatPicker
      open={open}
      rule={rule}
      done={doneSinceFirst(todo)}
      from={dueOf(todo, undefined, today)?.open?.day ?? todo.due_day ?? today}
      today={today}
      weekStart={weekStart}
      onSave={saveUndoably}
      onClose={onClose}
      otherwise={() => rowElement(todo.id)?.querySelector('[type=checkbox]') ?? null}
    />
  )
}

/**
 * The fields to change for a new rule. The due day moves to the rule's first day, and a reminder on the due day moves along.
 * Without a rule the due day stays.
 */
function repeatChanges(todo: Todo, rule: RepeatRule | null, timeZone: string): Partial<TodoFields> {
  if (rule === null) return { repeat: null, due_day: todo.due_day }
  // Only the end of the rule was changed.
  if (todo.repeat && ruleOf(todo.repeat)?.from === rule.from) return { repeat: rule }
  const time = pickedDue(todo, timeZone)?.time ?? null
  return { ...dueChanges(todo, { day: rule.from, time }, timeZone), repeat: rule, due_day: rule.from }
}
