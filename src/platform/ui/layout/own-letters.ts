/**
 * Resolves once the font is loaded, or could not be. The page does not ask for it: it would take the line from the scripts. Import
 * this before all other code, so that the font is also decoded, which takes a slow phone 100 ms, before the first paint needs it.
 * Undefined on a line that brought this script slowly: there the font would come while the first rows are drawn, and draw them again.
 * The browser then asks for it when they are drawn.
 */
export const ownLetters: Promise<unknown> | undefined = camePromptly(import.meta.url)
  ? document.fonts?.load('1em "Hanken Grotesk"').catch(() => {})
  : undefined

/** The font is a quarter of the script's size, and must come in 150 ms to be there in time. */
function camePromptly(script: string): boolean {
  const came = performance.getEntriesByName(script, 'resource').at(0)
  return came === undefined || came.duration < 4 * 150
}
