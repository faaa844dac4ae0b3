import { type FocusEvent, type KeyboardEvent, useId, useState } from 'react'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { listColorNames } from '../list/list-color-names.ts'
import { type ListColor, listColors } from '../list/list-row.ts'
import { ListNameProblem, problemOfListName } from '../list/web/list-name-problem.tsx'
import { leaveListName } from './list-shortcuts.ts'

interface NewListFormProps {
  /** The colour that is selected at first. */
  color: ListColor
  /** Resolves with false if the device could not store the list; the person has been told, and the typed name stays. */
  add(name: string, color: ListColor): Promise<boolean>
  /** `byKey`: whether a key closed the form, so that the focus should return to where the form was opened. */
  onClose(byKey: boolean): void
}

/**
 * Replaces the 'New list' button: a field for the name, and the colours below it. Enter adds the list, Escape closes the form.
 */
export function NewListForm({ color: firstColor, add, onClose }: NewListFormProps) {
  const [name, setName] = useState('')
  const [color, setColor] = useState(firstColor)
  const [hasTried, setHasTried] = useState(false)
  const [pending, setPending] = useState(false)
  const ids = useId()
  const nameProblem = problemOfListName(name)
  // Do not say that a name is missing before the person has tried to add the list.
  const problem = hasTried || name.trim() !== '' ? nameProblem : undefined

  const submit = async () => {
    setHasTried(true)
    if (nameProblem !== undefined || pending) return
    setPending(true)
    const isKept = await add(name.trim(), color)
    setPending(false)
    if (isKept) onClose(false)
  }
  const closeByKey = (event: KeyboardEvent) => {
    if (!isPressed(leaveListName, event) || event.nativeEvent.isComposing) return
    event.preventDefault()
    onClose(true)
  }
  const closeEmpty = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // If no other element took the focus, the whole window lost it, so keep the form open.
    if (relatedTarget === null || currentTarget.contains(relatedTarget)) return
    if (name.trim() === '') onClose(false)
  }

  return (
    <form
      aria-label="New list"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={closeByKey}
      onBlur={closeEmpty}
      className="py-1"
    >
      <Input
        autoFocus
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setHasTried(false)
        }}
        placeholder="List name"
        aria-label="List name"
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : `${ids}-problem`}
        dir="auto"
        enterKeyHint="done"
        autoComplete="off"
      />
      {problem !== undefined && <ListNameProblem id={`${ids}-problem`}>{problem}</ListNameProblem>}
      <div className="mt-1.5 flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
        <div role="radiogroup" aria-label="Colour" className="grid min-w-0 grid-cols-6 pointer-coarse:grow">
          {listColors.map((each) => (
            <label
              key={each}
              title={listColorNames[each]}
              className={[
                'relative grid h-7 min-w-7 place-items-center rounded-control transition-colors hover:bg-hover pointer-coarse:h-11 pointer-coarse:min-w-9',
                'has-checked:ring-2 has-checked:ring-ink has-checked:ring-inset',
                'has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-1',
              ].join(' ')}
            >
              <input
                type="radio"
                name={ids}
                value={each}
                checked={each === color}
                onChange={() => setColor(each)}
                aria-label={listColorNames[each]}
                className="absolute inset-0 m-0 cursor-pointer appearance-none outline-none"
              />
              <ColorCircle color={each} className="size-3" />
            </label>
          ))}
        </div>
        <Button type="submit" variant="quiet" busy={pending} className="ml-auto min-h-8 px-2.5 py-1">
          Add
        </Button>
      </div>
    </form>
  )
}
