import { createContext, useContext, useSyncExternalStore } from 'react'
import { storedChoice, useStoredChoice } from './stored-choice.ts'

export type Theme = 'system' | 'light' | 'dark'

/**
 * The theme of this device. public/theme.js applies it before the first paint and at every change. When the person chooses a
 * theme, use `useChooseTheme` instead of writing here.
 */
export const themeChoice = storedChoice('daymark-theme', ['system', 'light', 'dark'])

/** Handles the choice of a theme. Without a provider, the choice is stored on this device only. */
export const ChooseTheme = createContext<(theme: Theme) => void>(themeChoice.write)

export function useChooseTheme(): (theme: Theme) => void {
  return useContext(ChooseTheme)
}

/** The theme on the screen, whether chosen or taken from the system. */
export function useShownTheme(): 'light' | 'dark' {
  const chosen = useStoredChoice(themeChoice)
  const systemIsDark = useSyncExternalStore(subscribeToSystem, () => darkSystem.matches)
  if (chosen !== 'system') return chosen
  return systemIsDark ? 'dark' : 'light'
}

const darkSystem = window.matchMedia('(prefers-color-scheme: dark)')

function subscribeToSystem(onChange: () => void): () => void {
  darkSystem.addEventListener('change', onChange)
  return () => darkSystem.removeEventListener('change', onChange)
}
