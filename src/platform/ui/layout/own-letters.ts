/** In milliseconds: how long the first paint waits for the font, so that nothing moves when it replaces another. */
export const longestWaitForLetters = 150

/**
 * Resolves once the font is loaded, or could not be. The page does not ask for it: it would take the line from the scripts. Import
 * this before all other code, so that the font is also decoded, which takes a slow phone 100 ms, before the first paint needs it.
 * Undefined on a line too slow for that: the font would come while the first rows are drawn, and draw them again. The browser then
 * asks for it when they are drawn.
 */
export const ownLetters: Promise<unknown> | undefined = wouldComeInTime()
  ? document.fonts?.load('1em "Hanken Grotesk"').catch(() => {})
  : undefined

/** Judged by how fast the script that holds this code arrived: it is four times as large as the font. */
function wouldComeInTime(): boolean {
  const script = performance.getEntriesByName(import.meta.url).at(0)
  if (!(script instanceof PerformanceResourceTiming)) return true
  const { requestStart, responseStart, responseEnd } = script
  return responseStart - requestStart + (responseEnd - responseStart) / 4 < longestWaitForLetters
}
