import type { ComponentType } from 'react'
import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { searchRows } from '#platform/search/row-search.ts'

/** A command that a person can run from any screen. */
export interface Command {
  id: string
  label: string
  icon: ComponentType<{ size: number }>
  /** Additional words that a search finds the command by. */
  also?: string
  /** The shortcut that runs the same command. */
  shortcut?: Shortcut
  run(): void
}

export const commandSearch = searchRows<Command>({
  title: ({ label }) => label,
  more: ({ also = '' }) => [also],
})
