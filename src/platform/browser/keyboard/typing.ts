// Whoever types keeps the focus: the program moves it only as an answer to what the person did, and a key pressed where the
// person did not go themselves does nothing. One rule for the whole page, of which the parts that move the focus know nothing.

import { setTypingState } from './typing-state.ts'

const textFields =
  'textarea, [contenteditable=true], input:not([type=button], [type=checkbox], [type=color], [type=file], [type=image], [type=radio], [type=range], [type=reset], [type=submit])'

/** In milliseconds: for so long after a field lost the focus its person may not have noticed. */
const fieldIsMissed = 1_000

/** In milliseconds: for so long the answer to a press may take and still be one. */
const longestAnswer = 1_000

/** In milliseconds: for so long after the program moved the focus a key was meant for where it was before. */
const moveIsUnnoticed = 500

/** Acts and typed keys are numbered: two of one millisecond have an order, too. */
let count = 0
let typed = { at: -Infinity, place: 0 }
let act: { at: number; place: number; enterIn?: HTMLElement } = { at: -Infinity, place: 0 }

/** The person's own event is being handled, which includes what React draws for it. */
let acting = false
/** What another device has done moves the focus. */
let isForOthers = false
/** The program moves the focus: in answer to its person, or by itself. */
let moving: 'as an answer' | 'by itself' | undefined
let movedAt = -Infinity
let focused: EventTarget | null = null
/** The row that the program moved the focus to. */
let unvisitedRow: string | undefined
/** The row that the person went to last. */
let visitedRow: string | undefined
/** The key that did nothing, until it is released. */
let swallowed: string | undefined

/** Say when a turn of the event loop is over, also while a test stops the clock. */
let turns: MessageChannel | undefined
let turn = 0

/** Begins to guard whoever types. Returns a function that ends it. */
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
  // Not before the input: Enter in a line has that, too, and types nothing.
  listen(['input', 'compositionupdate'], ({ target }) => isTextField(target) && noteTyping())
  listen(['focusin'], ({ target }) => noteFocus(target))
  turns = new MessageChannel()
  turns.port1.onmessage = ({ data }) => {
    if (data === turn) acting = false
  }
  // Whoever was quicker than this part of the page types already.
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

/** Whether something that opens by itself has to wait: somebody types, or did so a moment ago, and asked for nothing since. */
function isTyping(): boolean {
  if (acting) return false
  const hasActed = act.place > typed.place
  // Enter leaves its person in the field, typing the next line.
  const { activeElement } = document
  if (isTextField(activeElement)) return !hasActed || act.enterIn === activeElement
  return !hasActed && now() - typed.at < fieldIsMissed
}

function mayMoveFocus(target: HTMLElement): boolean {
  // What had it gets it back, such as a row that React has put elsewhere.
  if ((acting && !isForOthers) || target === focused) return true
  const { activeElement } = document
  if (isTextField(activeElement)) {
    if (act.place < typed.place) return false
    // Enter in a field asks for what its form does, and for nothing else while its person is still in it.
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

/** A field that was removed tells nobody. */
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
    // A letter asks for nothing: whatever moves the focus meanwhile is no answer to it.
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

/** Some browsers press a button when the key is released. */
function release(event: KeyboardEvent): void {
  if (event.code !== swallowed) return
  swallowed = undefined
  event.preventDefault()
  event.stopImmediatePropagation()
}

function formOf(field: HTMLElement): Element | null {
  return field.closest('form, [role=dialog], [role=alertdialog]')
}

/** Keys with which a text is edited; others ask for something. */
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

/** Whether a key was meant for where the focus was before. */
function isMisled(event: KeyboardEvent): boolean {
  const { target, key } = event
  if (!isPlain(event) || !isCommand(key) || isTextField(target)) return false
  noteLostField()
  if (act.place < typed.place && now() - typed.at < fieldIsMissed) {
    // They type on.
    typed = { ...typed, at: now() }
    return true
  }
  if (now() - movedAt < moveIsUnnoticed) {
    movedAt = now()
    return true
  }
  // To go on to another row changes none.
  if (unvisitedRow === undefined || rowOf(target) !== unvisitedRow || /^[jk]$/i.test(key)) return false
  // Whoever sees that the key did nothing, and presses it once more after a moment, means this row.
  unvisitedRow = undefined
  movedAt = now()
  return true
}

function noteFocus(target: EventTarget | null): void {
  if (target === focused) return
  focused = target
  const row = rowOf(target)
  if (moving === 'by itself') {
    // Back in the row where its person is, it has not moved for them; and at a heading keys mean what they meant before.
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
    // One that the program leads to, or returns to, is not typed in yet: what was asked for may still come.
    if (moving === undefined) noteTyping()
  }
  // Without a call of the program it was the person, also by what assists them; and so it was in an event of theirs.
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
