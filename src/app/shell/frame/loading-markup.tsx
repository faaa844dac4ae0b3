import { renderToStaticMarkup } from 'react-dom/server'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'

// Not at once, and in letters that every browser has: those of the app would take the line from its scripts.
const waiting = "animate-fade-in-late font-['Hanken_Grotesk_Fallback',system-ui]"

/** What scripts/web/web-pages.mjs writes into the pages of screens, where a slow phone would show nothing for seconds. */
export function loadingMarkup(): string {
  return renderToStaticMarkup(<LoadingScreen className={waiting} />)
}
