import type { ComponentType } from 'react'
import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { searchRows } from '#platform/search/row-search.ts'

/** Something a person can have the app do, from any screen. */
export interface Command {
  id: string
  label: string
  icon: ComponentType<{ size: number }>
  /** Other words by which it is found. */
  also?: string
  /** The key that does the same. */
  shortcut?: Shortcut
  run(): void
}

export const commandSearch = searchRows<Command>({
  title: ({ label }) => label,
  more: ({ also = '' }) => [also],
})
