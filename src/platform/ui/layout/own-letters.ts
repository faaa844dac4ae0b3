/**
 * Resolves once the font is loaded, or could not be. The page does not ask for it: it would take the line from the scripts. Import
 * this before all other code, so that the font is also decoded, which takes a slow phone 100 ms, before the first paint needs it.
 */
export const ownLetters: Promise<unknown> | undefined = document.fonts
  ?.load('1em "Hanken Grotesk"')
  .catch(() => {})
