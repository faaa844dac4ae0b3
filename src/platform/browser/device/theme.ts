import { createContext, useContext, useSyncExternalStore } from 'react'
import { storedChoice, useStoredChoice } from './stored-choice.ts'

export type Theme = 'system' | 'light' | 'dark'

/**
 * The theme of this device. public/theme.js applies it to the page before the first paint and at every change.
 * The person's own choice goes through `useChooseTheme`.
 */
export const themeChoice = storedChoice('daymark-theme', ['system', 'light', 'dark'])

/** Handles a chosen theme. Without a provider it is only stored on this device. */
export const ChooseTheme = createContext<(theme: Theme) => void>(themeChoice.write)

export function useChooseTheme(): (theme: Theme) => void {
  return useContext(ChooseTheme)
}

/** The theme on the screen, whoever decided it. */
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
