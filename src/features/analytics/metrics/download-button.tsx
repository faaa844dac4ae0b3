import { Download } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'

/** For the right end of a line: its label ends where the line ends. */
export function DownloadButton({ className, ...rest }: ComponentProps<typeof Button>) {
  return (
    // `-mr-2` makes the line narrower than the button; with a maximum width, its label would wrap beside free space.
    <Button variant="quiet" className={cn('-mr-2 max-w-none px-2', className)} {...rest}>
      <Download />
      Download CSV
    </Button>
  )
}
