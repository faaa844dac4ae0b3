import { Check, Search, X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { isPressed, type Shortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { piecesOf, type Wanted } from '#platform/search/match.ts'
import { cn } from '../class-names.ts'
import { Button } from '../controls/button.tsx'
import { Hint, Keys } from '../controls/key.tsx'
import { stayForToasts } from '../overlays/dialog.tsx'
import { nearbyResult, openResult, tickResult } from './search-dialog-shortcuts.ts'

export interface SearchResult {
  /** Unique among all results. */
  id: string
  /** An icon in front of the title. */
  sign: ReactNode
  title: string
  isDone?: boolean
  /** A suggestion rather than a match: nothing is highlighted in its title. */
  isOffer?: boolean
  /** Where the result is, such as its list; shown at the end of the line. */
  place?: ReactNode
  /** Shown on a separate line below. */
  below?: ReactNode
  /** The shortcut that does the same as opening the result. */
  shortcut?: Shortcut
  /** Called after the dialog has closed and returned the focus. */
  open(): void
  /** Completes or reopens the result. */
  tick?(): void
}

export interface ResultGroup {
  name: string
  results: readonly SearchResult[]
}

interface SearchDialogProps {
  /** The name of the dialog. */
  label: string
  open: boolean
  onClose(): void
  /** Rendered only while open. `closeThen` closes the dialog, and calls `then` once the focus has returned. */
  children(closeThen: (then: () => void) => void): ReactNode
}

/** A dialog over any screen: a field, and the results below it. On a phone it fills the screen. */
export function SearchDialog({ label, open, onClose, children }: SearchDialogProps) {
  const opener = useRef<Element>(null)
  const opening = useRef<() => void>(undefined)
  const closeThen = (then: () => void) => {
    opening.current = then
    onClose()
  }
  return (
    <Primitive.Root open={open} onOpenChange={(stays) => stays || onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-veil" />
        <Primitive.Content
          aria-describedby={undefined}
          onPointerDownOutside={stayForToasts}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
            opening.current = undefined
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (opener.current instanceof HTMLElement && opener.current !== document.body) {
              opener.current.focus({ preventScroll: true })
            }
            opening.current?.()
          }}
          className={cn(
            'fixed top-24 left-1/2 z-40 flex max-h-[calc(100dvh-8rem)] w-[640px] -translate-x-1/2 flex-col overflow-hidden rounded-dialog bg-raised text-ink shadow-3 outline-none animate-fade-in',
            'max-md:inset-0 max-md:max-h-none max-md:w-auto max-md:translate-x-0 max-md:rounded-none max-md:shadow-none',
          )}
        >
          <Primitive.Title className="sr-only">{label}</Primitive.Title>
          {children(closeThen)}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

interface SearchContentProps {
  /** The name of the field. */
  label: string
  typed: string
  onType(text: string): void
  longest: number
  /** The words to highlight in the titles. */
  wanted: Wanted | undefined
  groups: readonly ResultGroup[]
  /** Whether results that may become the first are still loading. Enter then waits for them. */
  arriving: boolean
  /** The number of results, in words for screen readers. */
  count: string
  /** A note below the results. */
  note?: ReactNode
  /** An entry that opens help. While the field is empty, its shortcut works too. */
  help: { shortcut: Shortcut; words: string; show(): void }
  closeThen(then: () => void): void
}

/** The contents of a `SearchDialog`. A separate component, so that the dialog does not render again with every letter. */
export function SearchContent({
  label,
  typed,
  onType,
  longest,
  wanted,
  groups,
  arriving,
  count,
  note,
  help,
  closeThen,
}: SearchContentProps) {
  const [chosen, setChosen] = useState<string>()
  const [openFirst, setOpenFirst] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const ids = useId()
  const results = groups.flatMap((group) => group.results)
  const active = results.find(({ id }) => id === chosen) ?? results[0]
  const idOf = (result: SearchResult | undefined) => result && `${ids}${result.id}`

  // Scroll only after moves by key or pointer. Scrolling after each typed letter would make the browser lay out all results
  // again.
  useEffect(() => {
    if (chosen === undefined) return
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const isScrolled = useRef(false)

  const open = (result: SearchResult) => closeThen(() => result.open())
  const openAwaited = useEffectEvent(() => {
    if (active) open(active)
  })
  useEffect(() => {
    if (openFirst && !arriving) openAwaited()
  }, [openFirst, arriving])

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    setOpenFirst(false)
    if (typed === '' && isPressed(help.shortcut, event)) {
      event.preventDefault()
      closeThen(help.show)
    } else if (isPressed(nearbyResult, event)) {
      event.preventDefault()
      const step = event.key === 'ArrowUp' ? -1 : 1
      const place = active ? results.indexOf(active) : 0
      setChosen(results[(place + step + results.length) % results.length]?.id)
    } else if (isPressed(tickResult, event)) {
      event.preventDefault()
      active?.tick?.()
    } else if (isPressed(openResult, event)) {
      event.preventDefault()
      if (arriving && chosen === undefined) setOpenFirst(true)
      else if (active) open(active)
    }
  }

  return (
    <>
      <div className="flex min-h-14 shrink-0 items-center gap-3 border-line border-b px-5">
        {searchSign}
        <input
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={`${ids}results`}
          aria-activedescendant={idOf(active)}
          aria-autocomplete="list"
          autoComplete="off"
          autoCorrect="off"
          spellCheck="false"
          enterKeyHint="go"
          dir="auto"
          placeholder="Search or do anything"
          maxLength={longest}
          value={typed}
          onChange={(event) => {
            setChosen(undefined)
            if (isScrolled.current) list.current?.scrollTo(0, 0)
            onType(event.currentTarget.value)
          }}
          onKeyDown={press}
          className="h-14 min-w-0 flex-1 bg-transparent text-body text-ink outline-none placeholder:text-ink-3"
        />
        {closing}
      </div>
      <div
        ref={list}
        onScroll={({ currentTarget }) => {
          isScrolled.current = currentTarget.scrollTop > 0
        }}
        className="@container min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-2 max-md:pb-[max(0.5rem,env(safe-area-inset-bottom))]"
      >
        <div role="listbox" id={`${ids}results`} aria-label="Results" tabIndex={-1}>
          {groups.map(({ name, results }, place) => (
            // biome-ignore lint/a11y/useSemanticElements: inside of a listbox
            <div key={name} role="group" aria-labelledby={`${ids}group${place}`}>
              <p
                id={`${ids}group${place}`}
                role="presentation"
                className="px-3 pt-3 pb-1 text-small font-medium text-ink-2"
              >
                {name}
              </p>
              {results.map((result) => (
                <Result
                  key={result.id}
                  id={idOf(result) ?? ''}
                  result={result}
                  wanted={wanted}
                  isActive={result === active}
                  onPoint={() => setChosen(result.id)}
                  onOpen={() => open(result)}
                />
              ))}
            </div>
          ))}
        </div>
        {note && <p className="px-3 pt-3 pb-1 text-small text-ink-3">{note}</p>}
      </div>
      <p
        aria-hidden="true"
        className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-line border-t bg-sunken px-5 py-2 text-small text-ink-2 max-md:hidden pointer-coarse:hidden"
      >
        {hints}
        {typed === '' && (
          <span className="ml-auto">
            <Hint of={help.shortcut} words={help.words} />
          </span>
        )}
      </p>
      <p role="status" className="sr-only">
        {count}
      </p>
    </>
  )
}

const leave = { label: 'Close', keys: ['Escape'] }

// Constant elements, so that they do not render again with every letter.

const searchSign = <Search size={18} className="shrink-0 text-ink-2" />

const closing = (
  <>
    <span aria-hidden="true" className="max-md:hidden pointer-coarse:hidden">
      <Keys of={leave} />
    </span>
    <Primitive.Close asChild>
      <Button
        variant="icon"
        aria-label="Close"
        className="-mr-3 size-11 md:not-focus-visible:not-pointer-coarse:sr-only"
      >
        <X size={18} />
      </Button>
    </Primitive.Close>
  </>
)

const hints = (
  <>
    <Hint of={nearbyResult} words="move" />
    <Hint of={openResult} words="open" />
    <Hint of={tickResult} words="tick it" />
  </>
)

interface ResultProps {
  id: string
  result: SearchResult
  wanted: Wanted | undefined
  isActive: boolean
  onPoint(): void
  onOpen(): void
}

function Result({ id, result, wanted, isActive, onPoint, onOpen }: ResultProps) {
  const { sign, title, isDone = false, isOffer = false, place, below, shortcut } = result
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      role="option"
      id={id}
      aria-selected={isActive}
      onPointerMove={(event) => {
        // Ignore rows that merely scroll under a resting pointer while keys move the list.
        if (event.movementX !== 0 || event.movementY !== 0) onPoint()
      }}
      onClick={onOpen}
      className={cn(
        'flex min-h-10 cursor-pointer scroll-mt-8 flex-wrap items-center gap-x-2 gap-y-0.5 rounded-control px-3 py-2 text-control pointer-coarse:min-h-11',
        isActive && 'bg-hover forced-colors:outline-2 forced-colors:-outline-offset-2',
      )}
    >
      <span aria-hidden="true" className="grid w-5 shrink-0 place-items-center text-ink-2">
        {sign}
      </span>
      <span
        dir="auto"
        className={cn(
          'min-w-0 flex-[1_1_7rem] wrap-anywhere @max-[20em]:basis-full',
          isDone && 'text-ink-3 line-through',
        )}
      >
        {piecesOf(title, isOffer ? undefined : wanted).map(({ text, found }, place) =>
          found ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have nothing else
            <b key={place} className="font-semibold">
              {text}
            </b>
          ) : (
            text
          ),
        )}
      </span>
      {(place || shortcut || isActive) && (
        <span className="ml-auto flex min-w-0 flex-wrap items-center gap-x-3 text-small text-ink-2">
          {place}
          {shortcut && (
            <span className={hintLook}>
              <Keys of={shortcut} />
            </span>
          )}
          {isActive && result.tick && (
            <span aria-hidden="true" className={hintLook}>
              <Keys of={openResult} />
            </span>
          )}
        </span>
      )}
      {below && (
        <span className="flex min-w-0 basis-full flex-wrap gap-1.5 pb-1 pl-7 text-small">{below}</span>
      )}
    </div>
  )
}

/** The look of key hints, which a phone does not show because it has no keys. */
const hintLook = 'inline-flex max-md:hidden'

/** The checkbox of a result, shown as in its list. Decorative: pressing it opens the result. */
export function TickSign({ done }: { done: boolean }) {
  return (
    <span
      className={cn(
        'grid size-5 place-items-center rounded-[6px]',
        done ? 'bg-accent text-on-accent' : 'bg-raised shadow-[inset_0_0_0_1.5px_var(--edge)]',
      )}
    >
      {done && <Check size={14} strokeWidth={2.5} />}
    </span>
  )
}
