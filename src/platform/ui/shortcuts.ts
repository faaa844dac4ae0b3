import { useEffect, useEffectEvent } from 'react'
import { storedChoice, useStoredChoice } from './stored-choice.ts'

/**
 * Keys that do something. They are declared once, in a file named `*-shortcuts.ts`: whoever handles them asks `useShortcut`
 * or `isPressed`, and the dialog behind `?` lists them.
 */
export interface Shortcut {
  /** What they do, as the dialog says it. */
  label: string
  /** One key, or the two ways that it goes, as `KeyboardEvent.key` has them; letters are lower case. */
  keys: readonly string[]
  /** Ctrl, which is ⌘ on a Mac, or Alt. */
  heldWith?: 'ctrl' | 'alt'
  /** Only while what they are for has the focus; otherwise wherever it rests. */
  whileFocused?: true
}

/** Someone who speaks to the browser types single keys such as N by accident (WCAG 2.1.4). */
const singleKeysChoice = storedChoice('daymark-single-keys', ['on', 'off'])

/** Whether single keys are shortcuts on this device, and the one way to switch them. */
export function useSingleKeys(): { on: boolean; turn(on: boolean): void } {
  return { on: useStoredChoice(singleKeysChoice) === 'on', turn: turnSingleKeys }
}

function turnSingleKeys(on: boolean): void {
  singleKeysChoice.write(on ? 'on' : 'off')
}

/** Whether it is one of those that can be switched off. */
export function isSingleKey({ heldWith, whileFocused }: Shortcut): boolean {
  return heldWith === undefined && !whileFocused
}

/**
 * Lets a shortcut do something while the screen stands. Returns its value for `aria-keyshortcuts`, undefined where single
 * keys are off.
 */
export function useShortcut(shortcut: Shortcut, onPress: () => void): string | undefined {
  const singleKeys = useSingleKeys()
  const isSingle = isSingleKey(shortcut)
  const on = singleKeys.on || !isSingle
  const pressed = useEffectEvent(onPress)
  useEffect(() => {
    if (!on) return
    const press = (event: KeyboardEvent) => {
      if (!isPressed(shortcut, event) || (isSingle && isTaken(event))) return
      event.preventDefault()
      pressed()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [on, shortcut, isSingle])
  return on ? keyShortcutsOf(shortcut) : undefined
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

export function isPressed({ keys, heldWith, whileFocused }: Shortcut, event: Pressed): boolean {
  const key = event.key.toLowerCase()
  if (!keys.some((each) => each.toLowerCase() === key)) return false
  const ctrl = event.ctrlKey || event.metaKey
  if (heldWith === 'ctrl') return ctrl && !event.altKey && !event.shiftKey
  if (heldWith === 'alt') return event.altKey && !ctrl
  return !event.altKey && (whileFocused === true || !ctrl)
}

/** A single key is a shortcut only where nothing else takes it: no text field, menu or dialog, and no key held down. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat) return true
  if (!(event.target instanceof Element)) return false
  // Space presses what has the focus.
  if (event.key === ' ' && event.target.closest(takesSpace)) return true
  return event.target.closest(takesKeys) !== null
}

const takesKeys =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu], [role=dialog], [role=alertdialog]'

const takesSpace = 'input, button, a, summary, [role=button], [role=checkbox]'

function keyShortcutsOf({ keys, heldWith }: Shortcut): string {
  const modifiers = heldWith === 'ctrl' ? ['Control+', 'Meta+'] : heldWith === 'alt' ? ['Alt+'] : ['']
  return modifiers
    .flatMap((modifier) => keys.map((key) => `${modifier}${key === ' ' ? 'Space' : upperCaseOf(key)}`))
    .join(' ')
}

/** A key as a keyboard has it written on, and as it is read aloud where that is a sign. */
interface KeyName {
  shown: string
  spoken: string
}

/** What is held first, then each of its keys. */
export function keyNamesOf({ keys, heldWith }: Shortcut): KeyName[] {
  const held = heldWith && (isApple ? appleModifiers : modifiers)[heldWith]
  return [...(held ? [held] : []), ...keys.map((key) => keyNames.get(key) ?? named(upperCaseOf(key)))]
}

const isApple = 'navigator' in globalThis && /Mac|iPhone|iPad/.test(navigator.userAgent)

const modifiers = { ctrl: named('Ctrl'), alt: named('Alt') }
const appleModifiers = { ctrl: named('⌘', 'Command'), alt: named('⌥', 'Option') }

const keyNames = new Map([
  [' ', named('Space')],
  ['Escape', named('Esc', 'Escape')],
  ['ArrowLeft', named('←', 'Left arrow')],
  ['ArrowRight', named('→', 'Right arrow')],
  ['ArrowUp', named('↑', 'Up arrow')],
  ['ArrowDown', named('↓', 'Down arrow')],
  ['PageUp', named('Page Up')],
  ['PageDown', named('Page Down')],
  ['?', named('?', 'Question mark')],
])

function named(shown: string, spoken = shown): KeyName {
  return { shown, spoken }
}

/** Of a letter; the others are named as they are. */
function upperCaseOf(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key
}
