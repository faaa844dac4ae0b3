import { Plus } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { List } from '#features/lists/list/list.ts'
import type { NewTask } from '#features/todos/todo/web/new-task.ts'
import { newTask, saveTask } from '#features/todos/todo/web/todo-shortcuts.ts'
import { titleProblem } from '#features/todos/todo/web/use-title-editor.ts'
import { usePhone } from '#platform/browser/device/phone.ts'
import { isPressed, useShortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { type ListToMake, useScreenServices } from '#platform/browser/screen-services.ts'
import type { Day } from '#platform/calendar/day.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Keys } from '#platform/ui/controls/key.tsx'
import { useHeightAs } from '#platform/ui/layout/use-height-as.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { type DraftReader, emptyDraft, problemId } from './draft.ts'
import { isEmptyDraft, useNewTaskDraft } from './use-new-task-draft.ts'

interface TaskFormProps {
  /** Adds the task. Resolves with whether the device could store it. The Add button is disabled until then. */
  add(task: NewTask, list?: ListToMake): Promise<boolean>
  addAll(titles: readonly string[], due: Day | null, onUndo: () => void): void
  /** The placeholder and accessible name of the field. */
  prompt: string
  dueUnlessChosen?: Day | undefined
  /** The lists that the text can name. */
  lists: readonly List[]
  /** Whether something else has the place of the dock. */
  away: boolean
}

/**
 * The field for a new task. On a phone it is a dock above the tab bar: it stays where it is in the page, right after the heading,
 * so that it is read and reached in the same place everywhere, and keeps what is typed when the phone is turned.
 */
export function TaskForm({ add, addAll, prompt, dueUnlessChosen, lists, away }: TaskFormProps) {
  const { makeList } = useScreenServices()
  const [reader, setReader] = useState<DraftReader>()
  const [pending, setPending] = useState(0)
  const field = useRef<HTMLTextAreaElement>(null)
  const [draft, change, restore, takeTyped, catchUp, render] = useNewTaskDraft(field, pending > 0, reader)
  const dock = useRef<HTMLFormElement>(null)
  useHeightAs('--dock', dock, usePhone())
  const keys = useShortcut(newTask, () => field.current?.focus())
  const isEmpty = isEmptyDraft(draft)
  const Chips = usePart(LazyQuickAddChips, !isEmpty)
  // Recognized parts count only while they are shown as chips. Until the chips are loaded, all of the text is the title.
  const read = useMemo(() => reader?.read(draft), [reader, draft])
  const text = draft.text.trim()
  const due = draft.due ?? dueUnlessChosen
  const task = read?.task ?? { title: text, ...(due && { due_day: due }) }
  const problem = text === '' ? undefined : titleProblem(task.title)

  const submit = async () => {
    field.current?.focus()
    if (text === '' || problem !== undefined) return
    setPending((count) => count + 1)
    change(emptyDraft)
    const list = read?.newList === undefined ? undefined : await makeList(read.newList)
    const kept = await add(task, list)
    setPending((count) => count - 1)
    if (!kept) restore(draft)
  }

  // A paste of several lines adds one task per line. The field would join the lines into one.
  const pasteLines = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData('text/plain')
    if (!/\S\s*[\r\n]\s*\S/.test(pasted)) return
    event.preventDefault()
    const { value, selectionStart, selectionEnd } = event.currentTarget
    void import('./pasted-lines.ts').then(({ titlesIn }) => {
      const titles = titlesIn(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd))
      if (!titles) return
      change(emptyDraft)
      // Undo puts all titles back into the field as one line.
      addAll(titles, due ?? null, () => restore({ ...draft, text: titles.join(' ') }))
    })
  }

  const pressKey = (event: KeyboardEvent) => {
    // The suggestions have already handled the key.
    if (event.nativeEvent.isComposing || event.defaultPrevented) return
    if (isPressed(saveTask, event)) {
      event.preventDefault()
      void submit()
    }
  }

  return (
    <form
      ref={dock}
      data-dock
      // Whatever the form is asked for counts all that was typed.
      onKeyDownCapture={({ key }) => /^(Enter|Tab|Esc|Arrow)/.test(key) && catchUp()}
      onClickCapture={catchUp}
      onSubmitCapture={catchUp}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      className={cn('group/dock mt-6 data-[keyboard=other]:invisible max-md:docked', away && 'max-md:hidden')}
    >
      {/* In the dock, Add stays under the finger: the text grows upwards, and with the keyboard the chips have their room before they
          come. */}
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 group-data-keyboard/dock:grid-rows-[auto_minmax(52px,auto)]">
        <div className="relative min-h-10 min-w-0 rounded-control bg-raised max-md:max-h-[calc(var(--seen,100dvh)*0.4)] max-md:min-h-[calc(1.5rem+20px)] md:pointer-coarse:min-h-11">
          {/* The same text, with recognized parts marked. Without containment, each key press would lay out the whole screen. */}
          <div aria-hidden="true" className="absolute inset-0 overflow-hidden contain-strict">
            <div dir="auto" className={cn(fieldLook, 'border-transparent text-transparent')}>
              {read ? read.marked : draft.text}
              {'\u200b'}
            </div>
          </div>
          <textarea
            ref={field}
            rows={1}
            onInput={takeTyped}
            onKeyDown={pressKey}
            onPaste={pasteLines}
            placeholder={prompt}
            aria-label={prompt}
            aria-keyshortcuts={keys}
            aria-invalid={problem !== undefined || undefined}
            aria-describedby={problem && problemId}
            dir="auto"
            enterKeyHint="done"
            autoComplete="off"
            className={cn(
              fieldLook,
              'peer absolute inset-0 size-full resize-none overflow-hidden border-edge max-md:overflow-y-auto max-md:[scrollbar-width:none] bg-transparent text-ink transition-colors placeholder:text-ink-3 focus-visible:outline-offset-1 aria-invalid:border-danger',
            )}
          />
          {keys !== undefined && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 right-2.5 grid place-items-center peer-focus:invisible peer-not-placeholder-shown:invisible"
            >
              <Keys of={newTask} />
            </span>
          )}
        </div>
        {/* The chips come right after the field, so that Tab leads from the field to them. */}
        {Chips && !isEmpty && (
          <Chips
            draft={draft}
            change={change}
            render={render}
            reading={read}
            onReader={setReader}
            lists={lists}
            dueUnlessSaid={dueUnlessChosen}
            field={field}
            problem={problem}
          />
        )}
        <Button
          type="submit"
          aria-label="Add task"
          disabled={pending > 0}
          className="col-start-2 row-start-1 pl-3 max-md:min-h-11 max-md:self-end"
        >
          <Plus />
          Add
        </Button>
      </div>
    </form>
  )
}

const LazyQuickAddChips = lazyPart(() => import('./quick-add-chips.tsx'), 'QuickAddChips', 'with the screen')

/** Text of at least 16 px: with smaller text, phones zoom in on focus. `--covered`: what the details of a task cover of the field. */
const fieldLook =
  'min-h-10 min-w-0 rounded-control border py-[7px] pr-[calc(11px+var(--covered,0px))] pl-[11px] text-body whitespace-pre-wrap wrap-anywhere pointer-coarse:min-h-11 pointer-coarse:py-[9px]'
