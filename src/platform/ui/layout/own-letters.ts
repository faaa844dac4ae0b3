/**
 * Resolves once the font is there, or failed. The page does not ask for it: it would take the line from the scripts. Imported before
 * any other code runs, this has it there and decoded, which costs a slow phone 100 ms, before anything is drawn.
 */
export const ownLetters: Promise<unknown> | undefined = document.fonts
  ?.load('1em "Hanken Grotesk"')
  .catch(() => {})
