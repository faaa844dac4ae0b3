import { createElement, useState } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { HabitFacts } from '#features/habits/habit/habit-facts.ts'
import { changeHabit } from '#features/habits/habit/web/habit-queries.ts'
import { editTodo, renameTodo } from '#features/todos/todo/web/todo-queries.ts'
import { useTitleEditor } from '#features/todos/todo/web/use-title-editor.ts'
import { useDraft } from '#platform/browser/drafts/use-draft.ts'
import { addDays, daySchema } from '#platform/calendar/day.ts'
import type { ChangeBuilder, QueueableChange } from './one-change.ts'
import type { View } from './view.ts'

// The hooks of the screens decide what an open editor does with shown and typed values. React runs the same hooks here,
// through everything that happened while the editor was open, with one render per moment.

/** The values that the fields of an editor show. */
type Shown = Record<string, string>

/** What a field shows at one moment, and what the person types then. */
interface Moment {
  shown: string
  typed?: string
}

const kinds = ['title', 'habit', 'dates'] as const

/** An open editor in a tab. */
export interface Editor {
  kind: (typeof kinds)[number]
  row: string
  opened: Shown
  /** The field that the person began to change, and what was shown then. */
  touched?: { name: string; shown: Shown }
}

/** Opens an editor for a visible row; undefined if there is none. */
export function openEditor(which: number, value: number, view: View): Editor | undefined {
  const kind = kinds[value % kinds.length] ?? 'title'
  const rows: readonly { id: string }[] | undefined = kind === 'habit' ? view.habits : view.todos
  const row = rows?.[which % Math.max(1, rows.length)]?.id
  const opened = row && shownIn({ kind, row }, view)
  return opened && row ? { kind, row, opened } : undefined
}

/** Makes the person begin to change a field. */
export function touch(editor: Editor, value: number, view: View): Editor {
  const shown = shownIn(editor, view)
  const names = Object.keys(editor.opened)
  const name = names[value % names.length]
  return editor.touched || !shown || name === undefined ? editor : { ...editor, touched: { name, shown } }
}

/**
 * The change that the app sends when the editor is closed after typing. None if the row is gone, since the editor is then
 * gone, too.
 */
export function editorChange(
  editor: Editor,
  builder: ChangeBuilder,
  view: View,
): QueueableChange | undefined {
  const { kind, row, touched } = editor
  const shown = shownIn(editor, view)
  if (!shown) return undefined
  const { text, at } = builder
  const typed = touched && { name: touched.name, text: typedInto(touched, builder) }
  // Only the touched field counts as the person's change, whatever is sent.
  const fields = typed ? { [typed.name]: typed.text } : {}
  const momentsOf = (name: string): [Moment, ...Moment[]] => {
    const now = shown[name] ?? ''
    const opened = { shown: editor.opened[name] ?? '' }
    if (typed?.name !== name) return [opened, { shown: now }]
    const begun = { shown: touched?.shown[name] ?? '', typed: typed.text.slice(0, 1) }
    return [opened, begun, { shown: now, typed: typed.text }, { shown: now }]
  }
  if (kind === 'title') {
    const title = savedTitle(momentsOf('title'))
    if (title === undefined) return undefined
    return builder.build('edit', renameTodo, row, { id: row, title, at }, fields)
  }
  const changes: Shown = {}
  for (const name of Object.keys(shown)) {
    const { value, from } = draftOf(momentsOf(name))
    if (value !== from) changes[name] = value
  }
  if (Object.keys(changes).length === 0) return undefined
  if (kind === 'habit') {
    return builder.build('edit', changeHabit, row, { id: row, name: text, changes, at }, fields)
  }
  const due_day = changes.due_day ? daySchema.parse(changes.due_day) : null
  return builder.build('edit', editTodo, row, { id: row, changes: { due_day }, title: text, at }, fields)
}

function typedInto({ name }: { name: string }, builder: ChangeBuilder): string {
  if (name === 'due_day') return addDays(builder.today, builder.number)
  return builder.text
}

function shownIn({ kind, row }: Pick<Editor, 'kind' | 'row'>, { todos, habits }: View): Shown | undefined {
  if (kind === 'habit') return habitFields(habits?.find(({ id }) => id === row))
  const todo = todos?.find(({ id }) => id === row)
  return todo && (kind === 'title' ? { title: todo.title } : { due_day: todo.due_day ?? '' })
}

function habitFields(habit: HabitFacts | undefined): Shown | undefined {
  return habit && { name: habit.name, description: habit.description }
}

/** The title that a to-do's row saves, if any, when the person moves on to something else. */
function savedTitle(moments: readonly Moment[]): string | undefined {
  let saved: string | undefined
  renderMoments(moments, ({ shown, typed }, place) => {
    const save = (title: string) => {
      saved = title
    }
    const { button, field, leave } = useTitleEditor(shown, { onBegin() {}, save })
    if (place === 0) button.onClick()
    else if (typed !== undefined) field.onChange({ currentTarget: inputOf(typed) })
    else leave()
  })
  return saved
}

/** The final state of one field of a dialog. */
function draftOf(moments: readonly Moment[]): { value: string; from: string } {
  let last = { value: '', from: '' }
  renderMoments(moments, ({ shown, typed }) => {
    const draft = useDraft(shown)
    last = draft
    if (typed !== undefined) draft.change(typed)
  })
  return last
}

/** Makes React run hooks through one moment after another. */
function renderMoments(moments: readonly Moment[], render: (moment: Moment, place: number) => void): void {
  function Through() {
    const [place, setPlace] = useState(0)
    const moment = moments[place]
    if (moment) render(moment, place)
    if (place < moments.length - 1) setPlace(place + 1)
    return null
  }
  renderToStaticMarkup(createElement(Through))
}

/** An input element with nothing but its value, which is all that an editor reads. */
function inputOf(value: string): HTMLInputElement {
  return Object.assign(Object.create(null), { value })
}
