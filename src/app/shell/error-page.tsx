import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '#platform/ui/button.tsx'
import { LoadingScreen } from '#platform/ui/spinner.tsx'
import { PageMissing } from '../routes/lazy-page.tsx'
import { useLoadAnewOnce } from './load-anew.ts'
import { LonePage } from './lone-page.tsx'

/** What is left when a page breaks, or can still not be fetched. What went wrong is in the console already. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const mayHelp = useLoadAnewOnce(error instanceof PageMissing)
  if (mayHelp) return <LoadingScreen />
  const [title, sentence] =
    error instanceof PageMissing
      ? [
          "This page couldn't be loaded",
          'Daymark may have been updated, or you may be offline. Your data is safe.',
        ]
      : ['Something went wrong', 'This page stopped working. Your data is safe.']
  return (
    <LonePage title={title} sentence={sentence}>
      <Button onClick={() => location.reload()}>Reload the page</Button>
    </LonePage>
  )
}
