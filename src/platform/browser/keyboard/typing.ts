// A person who types keeps the focus. The program moves the focus only in response to the person's actions. A key that is pressed
// where the person did not go themselves does nothing. This one rule covers the whole page; code that moves the focus need not
// know about it.

import { setTypingState } from './typing-state.ts'

const textFields =
  'textarea, [contenteditable=true], input:not([type=button], [type=checkbox], [type=color], [type=file], [type=image], [type=radio], [type=range], [type=reset], [type=submit])'

/** Milliseconds during which the person may not have noticed that a field lost the focus. */
const fieldIsMissed = 1_000

/** Milliseconds after a press during which a focus move still counts as the response to it. */
const longestAnswer = 1_000

/** Milliseconds after the program moved the focus during which a key was meant for the previous place. */
const moveIsUnnoticed = 500

/** Numbers the person's acts, such as presses of a button, and typed keys, so that two in the same millisecond are ordered. */
let count = 0
let typed = { at: -Infinity, place: 0 }
let act: { at: number; place: number; enterIn?: HTMLElement } = { at: -Infinity, place: 0 }

/** Whether the person's own event is being handled, including what React draws for it. */
let acting = false
/** Whether a change on another device is moving the focus. */
let isForOthers = false
/** Set while the program moves the focus: in response to the person, or by itself. */
let moving: 'as an answer' | 'by itself' | undefined
let movedAt = -Infinity
let focused: EventTarget | null = null
/** The row that the program moved the focus to and that the person has not gone to yet. */
let unvisitedRow: string | undefined
/** The row that the person went to last. */
let visitedRow: string | undefined
/** The `code` of a key that was ignored, until it is released. */
let swallowed: string | undefined

/** Signals the end of an event loop turn, even while a test stops the clock. */
let turns: MessageChannel | undefined
let turn = 0

/** Starts to keep the focus with a person who types. Returns a function that stops it. */
export function guardTyping(): () => void {
  const events = new AbortController()
  const listen = <Name extends keyof WindowEventMap>(
    names: readonly Name[],
    listener: (event: WindowEventMap[Name]) => void,
  ) => {
    for (const name of names)
      window.addEventListener(name, listener, { capture: true, signal: events.signal })
  }
  listen(
    ['pointerdown', 'pointerup', 'click', 'change', 'drop'],
    ({ isTrusted, target }) => isTrusted && noteAct(target),
  )
  listen(['popstate'], () => noteAct(null))
  listen(['keydown'], press)
  listen(['keyup'], release)
  // 'input' instead of 'beforeinput': Enter in a single-line field fires 'beforeinput' but types nothing.
  listen(['input', 'compositionupdate'], ({ target }) => isTextField(target) && noteTyping())
  listen(['focusin'], ({ target }) => noteFocus(target))
  turns = new MessageChannel()
  turns.port1.onmessage = ({ data }) => {
    if (data === turn) acting = false
  }
  // The person may have started to type before this code loaded.
  noteFocus(document.activeElement)

  const focus = HTMLElement.prototype.focus
  HTMLElement.prototype.focus = function guarded(options) {
    if (!mayMoveFocus(this)) return
    moving = isAnswer() ? 'as an answer' : 'by itself'
    focus.call(this, options)
    moving = undefined
  }
  setTypingState({ isTyping, isMisled, movingByItself })
  return () => {
    events.abort()
    turns?.port1.close()
    HTMLElement.prototype.focus = focus
    setTypingState()
  }
}

/**
 * Whether something that opens by itself has to wait: the person is typing, or was a moment ago, and has requested nothing
 * since.
 */
function isTyping(): boolean {
  if (acting) return false
  const hasActed = act.place > typed.place
  // Enter leaves the person in the field, typing the next line.
  const { activeElement } = document
  if (isTextField(activeElement)) return !hasActed || act.enterIn === activeElement
  return !hasActed && now() - typed.at < fieldIsMissed
}

function mayMoveFocus(target: HTMLElement): boolean {
  // An element may get back the focus that it had, for example a row that React has moved.
  if ((acting && !isForOthers) || target === focused) return true
  const { activeElement } = document
  if (isTextField(activeElement)) {
    if (act.place < typed.place) return false
    // Enter in a field asks for what the field's form does. While the person is still in the field, Enter allows focus moves only
    // within that form.
    return act.enterIn !== activeElement || formOf(activeElement)?.contains(target) === true
  }
  noteLostField()
  return act.place > typed.place || now() - typed.at >= fieldIsMissed
}

function movingByItself(move: () => void): void {
  isForOthers = true
  move()
  isForOthers = false
}

/** Notices that the focused field was removed, since that fires no event. */
function noteLostField(): void {
  if (!isTextField(focused) || focused.isConnected) return
  focused = null
  if (act.place < typed.place) typed = { ...typed, at: now() }
}

function isAnswer(): boolean {
  return !isForOthers && (acting || now() - act.at < longestAnswer)
}

function press(event: KeyboardEvent): void {
  if (!event.isTrusted) return
  const { target, key } = event
  const plain = isPlain(event)
  if (isTextField(target)) {
    // A letter requests nothing, so a focus move meanwhile is no response to it.
    if (plain && (key.length === 1 || key === 'Process' || key === 'Unidentified')) noteTyping()
    else if (plain && /^(?:Backspace|Delete|Arrow.*|Home|End)$/.test(key)) {
      noteTyping()
      beginTurn()
    } else if (key === 'Enter') noteAct(null, target)
    else if (isEditing(event)) beginTurn()
    else if (!isModifier(key)) noteAct(null)
  } else if (isMisled(event)) {
    event.preventDefault()
    event.stopImmediatePropagation()
    swallowed = event.code
  } else if (!isModifier(key)) noteAct(null)
}

/** Ignores the release of an ignored key, since some browsers press a button on release. */
function release(event: KeyboardEvent): void {
  if (event.code !== swallowed) return
  swallowed = undefined
  event.preventDefault()
  event.stopImmediatePropagation()
}

function formOf(field: HTMLElement): Element | null {
  return field.closest('form, [role=dialog], [role=alertdialog]')
}

/** Whether a key edits text; other keys request something. */
function isEditing({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (/^(?:Arrow.*|Home|End|Page.*|Backspace|Delete|Dead|Insert)$/.test(key)) return true
  return (ctrlKey || metaKey) && /^[acvxyz]$/i.test(key)
}

function isModifier(key: string): boolean {
  return /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock)$/.test(key)
}

function isCommand(key: string): boolean {
  return key.length === 1 || key === 'Enter' || key === 'Backspace' || key === 'Delete'
}

/** Whether a key was meant for the place that had the focus before. */
function isMisled(event: KeyboardEvent): boolean {
  const { target, key } = event
  if (!isPlain(event) || !isCommand(key) || isTextField(target)) return false
  noteLostField()
  if (act.place < typed.place && now() - typed.at < fieldIsMissed) {
    // The person keeps typing.
    typed = { ...typed, at: now() }
    return true
  }
  if (now() - movedAt < moveIsUnnoticed) {
    movedAt = now()
    return true
  }
  // Keys that move to another row change nothing, so they are allowed.
  if (unvisitedRow === undefined || rowOf(target) !== unvisitedRow || /^[jk]$/i.test(key)) return false
  // A person who sees that the key did nothing, and presses it again after a moment, means this row.
  unvisitedRow = undefined
  movedAt = now()
  return true
}

function noteFocus(target: EventTarget | null): void {
  if (target === focused) return
  focused = target
  const row = rowOf(target)
  if (moving === 'by itself') {
    // Coming back to the person's own row does not count as a move, and at a heading keys mean what they meant before.
    if (!isHeading(target) && (row === undefined || row !== visitedRow)) {
      movedAt = now()
      unvisitedRow = row
    }
  } else {
    movedAt = Number.NEGATIVE_INFINITY
    unvisitedRow = undefined
    visitedRow = row
  }
  if (isTextField(target)) {
    // A field that the program moves the focus to, or back to, does not count as typed in yet: what the person requested may
    // still come.
    if (moving === undefined) noteTyping()
  }
  // Without a focus call by the program, the person moved the focus, perhaps with assistive technology. The same holds for a
  // call during the person's own event.
  else if (moving === undefined || (moving === 'as an answer' && acting)) act = { at: now(), place: ++count }
}

function noteTyping(): void {
  typed = { at: now(), place: ++count }
}

function noteAct(target: EventTarget | null, enterIn?: HTMLElement): void {
  beginTurn()
  if (isTextField(target)) return
  act = { at: now(), place: ++count, ...(enterIn && { enterIn }) }
  const row = rowOf(target)
  if (row !== undefined) {
    visitedRow = row
    unvisitedRow = undefined
  }
}

function beginTurn(): void {
  acting = true
  turns?.port2.postMessage(++turn)
}

function isPlain(event: KeyboardEvent): boolean {
  return event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey)
}

function isTextField(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.matches(textFields)
}

function isHeading(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('h1, main')
}

function rowOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset.row : undefined
}

function now(): number {
  return performance.now()
}
