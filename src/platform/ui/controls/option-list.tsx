import type { ReactNode, Ref } from 'react'
import { cn } from '../class-names.ts'

interface OptionListProps {
  ref?: Ref<HTMLDivElement>
  id: string
  label: string
  /**
   * Options of one group have to follow each other; the group's name appears above them. A divided option is set off from the
   * ones before it.
   */
  options: readonly { key: string; content: ReactNode; group?: string; divided?: boolean }[]
  /** Index of the option that Enter takes. */
  active: number | undefined
  onTake(place: number): void
  className?: string
}

/**
 * The options of a field, shown below it. The focus stays in the field, which handles the keys and names the active option
 * by `optionId`.
 */
export function OptionList({ ref, id, label, options, active, onTake, className }: OptionListProps) {
  return (
    <div
      ref={ref}
      id={id}
      role="listbox"
      aria-label={label}
      // Prevent the press from taking the focus away from the field.
      onMouseDown={(event) => event.preventDefault()}
      tabIndex={-1}
      className={cn(
        'absolute top-full z-10 base:mt-1 max-h-80 overflow-y-auto rounded-card bg-raised p-1 shadow-2',
        options.length === 0 && 'hidden',
        className,
      )}
    >
      {groupsOf(options).map(({ name, first, options: inGroup }) => {
        const rows = inGroup.map(({ key, content, divided }, at) => {
          const place = first + at
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
            <div
              key={key}
              id={optionId(id, place)}
              role="option"
              aria-selected={place === active}
              onClick={() => onTake(place)}
              className={cn(
                'relative flex min-h-9 cursor-default items-center gap-2 rounded-control px-3 py-1 text-control wrap-anywhere hover:bg-hover aria-selected:bg-hover pointer-coarse:min-h-11',
                divided &&
                  'mt-2 before:absolute before:inset-x-3 before:-top-1 before:h-px before:bg-line first:mt-0 first:before:hidden',
              )}
            >
              {content}
            </div>
          )
        })
        if (name === undefined) return rows
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no child of a listbox
          <div key={name} role="group" aria-label={name}>
            <p aria-hidden="true" className="px-3 pt-2 pb-1 text-small font-medium text-ink-3">
              {name}
            </p>
            {rows}
          </div>
        )
      })}
    </div>
  )
}

type Options = OptionListProps['options']

function groupsOf(options: Options): { name: string | undefined; first: number; options: Options }[] {
  const starts = options.flatMap(({ group }, place) =>
    place === 0 || group !== options[place - 1]?.group ? [place] : [],
  )
  return starts.map((first, at) => ({
    name: options[first]?.group,
    first,
    options: options.slice(first, starts[at + 1]),
  }))
}

export function optionId(list: string, place: number): string {
  return `${list}-${place}`
}

/**
 * The index that an arrow key leads to, wrapping around at both ends. From undefined it leads to the first or the last
 * option.
 */
export function nextOption(key: 'ArrowDown' | 'ArrowUp', active: number | undefined, count: number): number {
  const step = key === 'ArrowDown' ? 1 : -1
  const from = active ?? (step === 1 ? -1 : count)
  return (from + step + count) % count
}
