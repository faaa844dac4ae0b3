/** Milliseconds that the first paint waits for the font, so that no text moves when the font replaces a fallback. */
export const longestWaitForLetters = 150

/**
 * Resolves once the font is loaded or has failed. The page itself does not request the font, since that would compete with the
 * scripts. Import this file before all other code, so that the font is also decoded before the first paint, which takes a slow
 * phone 100 ms. Undefined on a slow connection, where the font would arrive while the first rows are being drawn, and they would
 * be drawn again. The browser then requests the font when it draws the rows.
 */
export const ownLetters: Promise<unknown> | undefined = wouldComeInTime()
  ? document.fonts?.load('1em "Hanken Grotesk"').catch(() => {})
  : undefined

/** Whether the font would arrive in time, judged by how fast this script arrived, which is four times as large. */
function wouldComeInTime(): boolean {
  const script = performance.getEntriesByName(import.meta.url).at(0)
  if (!(script instanceof PerformanceResourceTiming)) return true
  const { requestStart, responseStart, responseEnd } = script
  return responseStart - requestStart + (responseEnd - responseStart) / 4 < longestWaitForLetters
}
