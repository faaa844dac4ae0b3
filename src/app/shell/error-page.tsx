import { Button } from '#platform/ui/button.tsx'
import { LonePage } from './lone-page.tsx'

/** What is left when a page breaks. What broke it is in the console already. */
export function ErrorPage() {
  return (
    <LonePage title="Something went wrong" sentence="This page broke. Your data is safe.">
      <Button onClick={() => location.reload()}>Reload the page</Button>
    </LonePage>
  )
}
