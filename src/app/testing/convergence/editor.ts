import { createElement, useState } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { HabitFacts } from '#features/habits/counted-habit.ts'
import { changeHabit } from '#features/habits/web/habit-queries.ts'
import { renameTodo, setTodoDates } from '#features/todos/web/todo-queries.ts'
import { useTitleEditor } from '#features/todos/web/use-title-editor.ts'
import { addDays, daySchema } from '#platform/calendar/day.ts'
import { useDraft } from '#platform/ui/use-draft.ts'
import type { Doing, OneChange } from './one-change.ts'
import type { View } from './view.ts'

// What an open editor makes of what is shown and typed is decided by the hooks of the screens. React runs them here as it
// does there, through all that happened while the editor was open: one render for each moment.

/** What the fields of an editor show of its row. */
type Shown = Record<string, string>

/** One thing that a person does to a field, and what is shown of its row then. */
interface Moment {
  shown: string
  typed?: string
}

const kinds = ['title', 'habit', 'dates'] as const

/** An editor that somebody holds open in a tab. */
export interface Editor {
  kind: (typeof kinds)[number]
  row: string
  opened: Shown
  /** Which field they began to change, and what was shown by then. */
  touched?: { name: string; shown: Shown }
}

/** Of the row that somebody sees; where there is none, nothing opens. */
export function openEditor(which: number, value: number, view: View): Editor | undefined {
  const kind = kinds[value % kinds.length] ?? 'title'
  const rows: readonly { id: string }[] | undefined = kind === 'habit' ? view.habits : view.todos
  const row = rows?.[which % Math.max(1, rows.length)]?.id
  const opened = row && shownIn({ kind, row }, view)
  return opened && row ? { kind, row, opened } : undefined
}

/** They begin to change a field. */
export function touch(editor: Editor, value: number, view: View): Editor {
  const shown = shownIn(editor, view)
  const names = Object.keys(editor.opened)
  const name = names[value % names.length]
  return editor.touched || !shown || name === undefined ? editor : { ...editor, touched: { name, shown } }
}

/** What the app sends as they close it, once what they type is complete. Nothing where the row is gone, and its editor. */
export function doingOfEditor(editor: Editor, one: OneChange, view: View): Doing | undefined {
  const { kind, row, touched } = editor
  const shown = shownIn(editor, view)
  if (!shown) return undefined
  const { text, at } = one
  const typed = touched && { name: touched.name, text: typedInto(touched, one) }
  // Only what they touched is a change of theirs, whatever is sent.
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
    return one.doing('edit', renameTodo, row, { id: row, title, at }, fields)
  }
  const changes: Shown = {}
  for (const name of Object.keys(shown)) {
    const { value, from } = draftOf(momentsOf(name))
    if (value !== from) changes[name] = value
  }
  if (Object.keys(changes).length === 0) return undefined
  if (kind === 'habit') {
    const { frequency, ...texts } = changes
    const sent = { ...texts, ...(isFrequency(frequency) && { frequency }) }
    return one.doing('edit', changeHabit, row, { id: row, name: text, changes: sent, at }, fields)
  }
  const due_day = changes.due_day ? daySchema.parse(changes.due_day) : null
  return one.doing('edit', setTodoDates, row, { id: row, changes: { due_day }, title: text, at }, fields)
}

function typedInto({ name, shown }: { name: string; shown: Shown }, one: OneChange): string {
  if (name === 'due_day') return addDays(one.today, one.number)
  if (name === 'frequency') return shown.frequency === 'daily' ? 'weekly' : 'daily'
  return one.text
}

function shownIn({ kind, row }: Pick<Editor, 'kind' | 'row'>, { todos, habits }: View): Shown | undefined {
  if (kind === 'habit') return habitWords(habits?.find(({ id }) => id === row))
  const todo = todos?.find(({ id }) => id === row)
  return todo && (kind === 'title' ? { title: todo.title } : { due_day: todo.due_day ?? '' })
}

function habitWords(habit: HabitFacts | undefined): Shown | undefined {
  return habit && { name: habit.name, description: habit.description, frequency: habit.frequency }
}

/** What a to-do's row saves as its title, if anything, when the person goes on to something else. */
function savedTitle(moments: readonly Moment[]): string | undefined {
  let saved: string | undefined
  through(moments, ({ shown, typed }, place) => {
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

/** What a dialog has in one of its fields in the end. */
function draftOf(moments: readonly Moment[]): { value: string; from: string } {
  let last = { value: '', from: '' }
  through(moments, ({ shown, typed }) => {
    const draft = useDraft(shown)
    last = draft
    if (typed !== undefined) draft.change(typed)
  })
  return last
}

/** Has React run hooks through one moment after another. */
function through(moments: readonly Moment[], live: (moment: Moment, place: number) => void): void {
  function Through() {
    const [place, goOn] = useState(0)
    const moment = moments[place]
    if (moment) live(moment, place)
    if (place < moments.length - 1) goOn(place + 1)
    return null
  }
  renderToStaticMarkup(createElement(Through))
}

/** As much of a field as an editor reads of it. */
function inputOf(value: string): HTMLInputElement {
  return Object.assign(Object.create(null), { value })
}

function isFrequency(text: string | undefined): text is HabitFacts['frequency'] {
  return text === 'daily' || text === 'weekly'
}
