import { describe, expect, it } from 'vitest'
import { isPressed, isSingleKey, type Shortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { shortcutGroups } from './listed-shortcuts.ts'

const listed = shortcutGroups.flatMap(({ shortcuts }) => shortcuts)

const declared = import.meta.glob<Record<string, Shortcut>>(
  ['/src/**/*-shortcuts.ts', '!/src/app/shell/shortcuts/listed-shortcuts.ts'],
  { eager: true },
)

const sources = import.meta.glob<string>(
  ['/src/**/*.{ts,tsx}', '!/src/**/*.test.{ts,tsx}', '!/src/platform/browser/keyboard/shortcuts.ts'],
  { query: '?raw', import: 'default', eager: true },
)

/** They have the keys of every control of their kind, which nobody looks up in a list. */
const ordinaryControls = [
  '/src/features/focus/subjects/web/subject-field.tsx',
  '/src/features/lists/menu/list-menu.tsx',
  '/src/features/preferences/web/time-zone-search.tsx',
  '/src/features/todos/quick-add/field/quick-add-suggestions.tsx',
  '/src/platform/ui/overlays/menu-button.ts',
  '/src/platform/ui/overlays/fetched-menu.tsx',
]

/** Any key at all. */
const anyKey = [
  '/src/app/shell/undo/undo-handler.tsx',
  '/src/features/focus/phase-end/use-armed-chime.ts',
  '/src/platform/browser/activity.ts',
  '/src/platform/browser/rows/note-aim.ts',
  '/src/platform/browser/keyboard/typing-state.ts',
  '/src/platform/browser/keyboard/typing.ts',
]

function pressOf(shortcut: Shortcut, key = shortcut.keys[0] ?? '') {
  return {
    key,
    ctrlKey: shortcut.heldWith?.startsWith('ctrl') === true,
    metaKey: false,
    altKey: shortcut.heldWith === 'alt',
    shiftKey: shortcut.heldWith?.endsWith('shift') === true,
  }
}

describe('the list of shortcuts', () => {
  it('has every one that is declared, once', () => {
    const all = Object.values(declared).flatMap((exported) => Object.values(exported))
    expect(all.length).toBeGreaterThan(10)
    expect(new Set(listed)).toEqual(new Set(all))
    expect(listed).toHaveLength(all.length)
  })

  it('knows every key that is handled: a handler asks what is declared', () => {
    const handlers = Object.entries(sources).filter(([, source]) =>
      /\bKeyboardEvent\b|'keydown'/.test(source),
    )
    const unasked = handlers.filter(([, source]) => !/\b(isPressed|useShortcut)\(/.test(source))
    expect(unasked.map(([path]) => path).sort()).toEqual([...ordinaryControls, ...anyKey].sort())
  })

  it('has no two for the same key on one screen', () => {
    const everywhere = shortcutGroups.find(({ name }) => name === 'Everywhere')?.shortcuts ?? []
    for (const { name, shortcuts } of shortcutGroups) {
      const onScreen = name === 'Everywhere' ? shortcuts : [...everywhere, ...shortcuts]
      for (const shortcut of onScreen) {
        for (const key of shortcut.keys) {
          const meant = onScreen.filter(
            (other) =>
              isPressed(other, pressOf(shortcut, key)) &&
              (other.heldWith ?? '') === (shortcut.heldWith ?? '') &&
              other.after === shortcut.after,
          )
          expect(meant, `${key} in '${name}'`).toEqual([shortcut])
        }
      }
    }
  })
})

describe('a shortcut', () => {
  it.each([
    ['Ctrl', { ctrlKey: true }, true],
    ['⌘', { metaKey: true }, true],
    ['Shift as well', { ctrlKey: true, shiftKey: true }, false],
    ['Alt as well', { ctrlKey: true, altKey: true }, false],
    ['nothing', {}, false],
  ])('with Ctrl, pressed with %s', (_, held, pressed) => {
    const shortcut: Shortcut = { label: 'Sidebar', keys: ['b'], heldWith: 'ctrl' }
    const bare = { key: 'B', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
    expect(isPressed(shortcut, { ...bare, ...held })).toBe(pressed)
  })

  it('of a single key is none with another key held', () => {
    const shortcut: Shortcut = { label: 'New task', keys: ['n'] }
    expect(isPressed(shortcut, pressOf(shortcut))).toBe(true)
    for (const held of ['ctrlKey', 'metaKey', 'altKey']) {
      expect(isPressed(shortcut, { ...pressOf(shortcut), [held]: true })).toBe(false)
    }
  })

  it('can be switched off where it is a single key that speech input might type', () => {
    const singleKeys = listed.filter(isSingleKey).flatMap(({ keys }) => keys)
    expect(singleKeys.join('')).toBe('/?tudhfanjkedlpsftnjk ')
  })
})
