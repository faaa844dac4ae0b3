import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '#platform/ui/controls/button.tsx'
import { LoadingScreen } from '#platform/ui/layout/spinner.tsx'
import { PartMissing } from '#platform/ui/lazy-part.tsx'
import { LonePage } from './lone-page.tsx'
import { useReloadOnce } from './reload-once.ts'

/** Shown when a page breaks, or still cannot be loaded. The error is already in the console. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const mayHelp = useReloadOnce(error instanceof PartMissing)
  if (mayHelp) return <LoadingScreen />
  const [title, sentence] =
    error instanceof PartMissing
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
