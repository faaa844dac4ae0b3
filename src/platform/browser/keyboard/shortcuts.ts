import { useEffect, useEffectEvent } from 'react'
import { storedChoice, useStoredChoice } from '../device/stored-choice.ts'

/**
 * A keyboard shortcut. Each is declared once, in a file named `*-shortcuts.ts`. Code handles it with `useShortcut` or
 * `isPressed`, and the dialog behind `?` lists it.
 */
export interface Shortcut {
  /** The description in the shortcuts dialog. */
  label: string
  /** One key, or two for opposite directions, as in `KeyboardEvent.key`; letters are lower case. */
  keys: readonly string[]
  /** A key that is pressed and released before this one. */
  after?: string
  /** Modifiers: Ctrl (⌘ on a Mac) with or without Shift, or Shift or Alt alone. */
  heldWith?: 'ctrl' | 'ctrl+shift' | 'shift' | 'alt'
  /** Works only while its target has the focus. Without it, the shortcut works wherever the focus is. */
  whileFocused?: true
}

/** Single keys such as N can be switched off, because speech input types them by accident (WCAG 2.1.4). */
const singleKeysChoice = storedChoice('daymark-single-keys', ['on', 'off'])

/** Whether single-key shortcuts are on for this device, and a function that switches them. */
export function useSingleKeys(): { on: boolean; set(on: boolean): void } {
  return { on: useStoredChoice(singleKeysChoice) === 'on', set: setSingleKeys }
}

function setSingleKeys(on: boolean): void {
  singleKeysChoice.write(on ? 'on' : 'off')
}

/** Whether a shortcut can be switched off. */
export function isSingleKey({ heldWith, whileFocused }: Shortcut): boolean {
  return heldWith === undefined && !whileFocused
}

/**
 * Handles a shortcut while the component is mounted. Returns its value for `aria-keyshortcuts`, or undefined if single keys are
 * off. With `otherwise`, handles the shortcut only if nothing else on the screen does.
 */
export function useShortcut(
  shortcut: Shortcut,
  onPress: (event: KeyboardEvent) => void,
  { otherwise = false }: { otherwise?: boolean } = {},
): string | undefined {
  const singleKeys = useSingleKeys()
  const isSingle = isSingleKey(shortcut)
  const on = singleKeys.on || !isSingle
  const handlePress = useEffectEvent(onPress)
  useEffect(() => {
    if (otherwise) return
    const handle = () => handlePress(new KeyboardEvent('keydown', { key: shortcut.keys[0] ?? '' }))
    const mine = { shortcut, handle }
    handlers.add(mine)
    if (awaited.shortcut === shortcut && performance.now() < awaited.until) {
      awaited = nothing
      handle()
    }
    return () => void handlers.delete(mine)
  }, [shortcut, otherwise])
  useEffect(() => {
    if (!on) return
    const press = (event: KeyboardEvent) => {
      if (!isPressed(shortcut, event) || (isSingle && isTaken(event))) return
      if (otherwise && handlerOf(shortcut)) return
      event.preventDefault()
      handlePress(event)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [on, shortcut, isSingle, otherwise])
  return on ? keyShortcutsOf(shortcut) : undefined
}

/** The shortcut handlers of the current screen. */
const handlers = new Set<{ shortcut: Shortcut; handle(): void }>()

function handlerOf(shortcut: Shortcut) {
  return [...handlers].findLast((each) => each.shortcut === shortcut)
}

const nothing: { shortcut?: Shortcut; until: number } = { until: 0 }
/** A shortcut to run as soon as a handler for it mounts. `until`: when it expires, on the `performance` clock. */
let awaited = nothing

/**
 * Runs a shortcut's action without its keys. If nothing on the screen handles it, `bring` navigates to a screen that does,
 * and the action runs on arrival. Works for single keys that are switched off, since nobody chooses a command by accident.
 */
export function perform(shortcut: Shortcut, bring?: () => void): void {
  const handler = handlerOf(shortcut)
  if (handler) handler.handle()
  else {
    awaited = { shortcut, until: performance.now() + 10_000 }
    bring?.()
  }
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

export function isPressed({ keys, heldWith, whileFocused }: Shortcut, event: Pressed): boolean {
  const key = event.key.toLowerCase()
  if (!keys.some((each) => each.toLowerCase() === key)) return false
  const ctrl = event.ctrlKey || event.metaKey
  if (heldWith === 'ctrl') return ctrl && !event.altKey && !event.shiftKey
  if (heldWith === 'ctrl+shift') return ctrl && !event.altKey && event.shiftKey
  if (heldWith === 'shift') return event.shiftKey && !event.altKey && !ctrl
  if (heldWith === 'alt') return event.altKey && !ctrl
  return !event.altKey && (whileFocused === true || !ctrl)
}

/**
 * Whether a key press is not available as a single-key shortcut: it repeats, or something else uses it, such as a text
 * field, menu or dialog.
 */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat) return true
  if (!(event.target instanceof Element)) return false
  // Space activates the focused element.
  if (event.key === ' ' && event.target.closest(takesSpace)) return true
  return event.target.closest(takesKeys) !== null
}

/** Selects what lies over the page. */
export const overPage = '[role=menu], [role=dialog], [role=alertdialog]'

const takesKeys = `input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], ${overPage}`

const takesSpace = 'input, button, a, summary, [role=button], [role=checkbox]'

/** The shortcut's value for `aria-keyshortcuts`. */
export function keyShortcutsOf({ keys, heldWith }: Shortcut): string {
  const modifiers = heldWith ? ariaModifiers[heldWith] : ['']
  return modifiers
    .flatMap((modifier) => keys.map((key) => `${modifier}${key === ' ' ? 'Space' : upperCaseOf(key)}`))
    .join(' ')
}

const ariaModifiers = {
  ctrl: ['Control+', 'Meta+'],
  'ctrl+shift': ['Control+Shift+', 'Meta+Shift+'],
  shift: ['Shift+'],
  alt: ['Alt+'],
}

/** A key as printed on a keyboard, and as read aloud where the printed name is a symbol. */
interface KeyName {
  shown: string
  spoken: string
}

/** The names of a shortcut's keys: first the modifiers or the key that comes before, then each of the keys. */
export function keyNamesOf({ keys, heldWith, after = '' }: Shortcut): KeyName[] {
  const held = heldWith && (isApple ? appleModifiers : modifiers)[heldWith]
  return [...(held ?? []), ...[...after, ...keys].map((key) => keyNames.get(key) ?? named(upperCaseOf(key)))]
}

export const isApple = 'navigator' in globalThis && /Mac|iPhone|iPad/.test(navigator.userAgent)

const [ctrl, command] = [named('Ctrl'), named('⌘', 'Command')]
const modifiers = {
  ctrl: [ctrl],
  'ctrl+shift': [ctrl, named('Shift')],
  shift: [named('Shift')],
  alt: [named('Alt')],
}
const appleModifiers = {
  ctrl: [command],
  'ctrl+shift': [named('⇧', 'Shift'), command],
  shift: [named('⇧', 'Shift')],
  alt: [named('⌥', 'Option')],
}

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

/** Upper-cases a letter; other keys keep their names. */
function upperCaseOf(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key
}
