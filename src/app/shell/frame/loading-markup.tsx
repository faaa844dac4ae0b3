import { renderToStaticMarkup } from 'react-dom/server'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'

// The text appears late, and in a font that every browser has, because the app's own font would compete with the scripts.
const waiting = "animate-fade-in-late font-['Hanken_Grotesk_Fallback',system-ui]"

/**
 * The loading screen that scripts/web/web-pages.mjs writes into the pages of screens, where a slow phone would show nothing
 * for seconds.
 */
export function loadingMarkup(): string {
  return renderToStaticMarkup(<LoadingScreen className={waiting} />)
}
