import { useNavigate } from '@tanstack/react-router'
import {
  CalendarDays,
  CalendarPlus,
  Keyboard,
  ListChecks,
  ListPlus,
  LogOut,
  Moon,
  PanelLeft,
  Plus,
  Redo2,
  Settings,
  Sun,
  Undo2,
} from 'lucide-react'
import { useFocusCommands } from '#features/focus/running/use-focus-commands.ts'
import { newHabit } from '#features/habits/habit/web/habit-shortcuts.ts'
import { newList } from '#features/lists/sidebar/new-list-command.ts'
import { newTask } from '#features/todos/todo/web/todo-shortcuts.ts'
import { useExportCommand } from '#features/your-data/web/use-export-command.ts'
import { useChooseTheme, useShownTheme } from '#platform/browser/device/theme.ts'
import { perform } from '#platform/browser/keyboard/shortcuts.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import type { Command } from '#platform/ui/command.ts'
import { goScreens } from '../shortcuts/go-screens.ts'
import { goToUpcoming } from '../shortcuts/go-shortcuts.ts'
import { showShortcuts, toggleSidebar } from '../shortcuts/shell-shortcuts.ts'
import { redo, undo } from '../shortcuts/undo-shortcuts.ts'
import { mainEntries } from '../sidebar/main-entries.ts'

/** Every command that works on any screen. A command that also has a key is run by the handler of that key. */
export function useCommands(signOut: () => void): Command[] {
  const navigate = useNavigate()
  const { changes } = useSync()
  const chooseTheme = useChooseTheme()
  const otherTheme = useShownTheme() === 'light' ? 'dark' : 'light'
  const focusCommands = useFocusCommands()
  const exportCommand = useExportCommand()
  return [
    {
      id: 'new-task',
      label: 'New task',
      also: 'add todo',
      icon: Plus,
      shortcut: newTask,
      run: () => perform(newTask, () => void navigate({ to: '/todos' })),
    },
    {
      id: 'new-habit',
      label: 'New habit',
      also: 'add',
      icon: CalendarPlus,
      shortcut: newHabit,
      run() {
        // Perform the shortcut by name, because on some screens pressing its key adds a task instead.
        perform(newHabit, () => void navigate({ to: '/habits' }))
      },
    },
    {
      id: 'new-list',
      label: newList.label,
      also: 'add',
      icon: ListPlus,
      run() {
        if (document.querySelector('aside[inert]')) perform(toggleSidebar)
        // On a phone the sidebar has to be opened first.
        perform(newList, () => perform(toggleSidebar))
      },
    },
    ...mainEntries.map(({ to, label, icon }) => ({
      id: `go-${to}`,
      label: `Go to ${label}`,
      icon,
      ...goScreens.find((screen) => screen.to === to),
      run: () => void navigate({ to }),
    })),
    {
      id: 'go-/upcoming',
      label: goToUpcoming.label,
      also: 'next days',
      icon: CalendarDays,
      shortcut: goToUpcoming,
      run: () => void navigate({ to: '/upcoming' }),
    },
    {
      id: 'go-/todos/completed',
      label: 'Go to Completed',
      also: 'done finished',
      icon: ListChecks,
      run: () => void navigate({ to: '/todos/completed' }),
    },
    ...focusCommands,
    {
      id: 'undo',
      label: 'Undo',
      icon: Undo2,
      shortcut: undo,
      run: () => changes.request({ direction: 'undo' }),
    },
    {
      id: 'redo',
      label: 'Redo',
      icon: Redo2,
      shortcut: redo,
      run: () => changes.request({ direction: 'redo' }),
    },
    {
      id: 'theme',
      label: `Switch to ${otherTheme} theme`,
      also: 'mode colours appearance',
      icon: otherTheme === 'dark' ? Moon : Sun,
      run: () => chooseTheme(otherTheme),
    },
    {
      id: 'toggle-sidebar',
      label: toggleSidebar.label,
      icon: PanelLeft,
      shortcut: toggleSidebar,
      run: () => perform(toggleSidebar),
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      also: 'keys help',
      icon: Keyboard,
      shortcut: showShortcuts,
      run: () => perform(showShortcuts),
    },
    {
      id: 'settings',
      label: 'Settings',
      also: 'preferences account go to',
      icon: Settings,
      run: () => void navigate({ to: '/settings' }),
    },
    exportCommand,
    { id: 'sign-out', label: 'Sign out', also: 'log out leave', icon: LogOut, run: signOut },
  ]
}
