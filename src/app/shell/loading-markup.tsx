import { renderToStaticMarkup } from 'react-dom/server'
import { LoadingScreen } from '#platform/ui/layout/spinner.tsx'

/** What scripts/web-pages.mjs writes into the pages of screens, where a slow phone would show nothing for seconds. */
export function loadingMarkup(): string {
  return renderToStaticMarkup(<LoadingScreen late />)
}
