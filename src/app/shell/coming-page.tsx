import { EmptyState } from '#platform/ui/empty-state.tsx'
import { Page } from '#platform/ui/page.tsx'

/** Stands where a part of the product will be, and says so. */
export function ComingPage({
  title,
  subtitle,
  sentence,
}: {
  title: string
  subtitle: string
  sentence: string
}) {
  return (
    <Page title={title} subtitle={subtitle}>
      <EmptyState sentence={sentence} className="mt-26 max-md:mt-16" />
    </Page>
  )
}
