import { useSyncExternalStore } from 'react'
import { storedChoice, useStoredChoice } from './stored-choice.ts'

export type Theme = 'system' | 'light' | 'dark'

/** What the person chose. public/theme.js puts it on the page, before the first paint and at every change. */
export const themeChoice = storedChoice('daymark-theme', ['system', 'light', 'dark'])

/** What is on the screen, whoever decided it. */
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
