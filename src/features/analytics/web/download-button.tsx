import { Download } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '#platform/ui/button.tsx'
import { cn } from '#platform/ui/class-names.ts'

/** At the right end of a line, where its words end with the line. */
export function DownloadButton({ className, ...rest }: ComponentProps<typeof Button>) {
  return (
    // With `-mr-2` the line gives it less than it is wide: bound to that, its words would break beside free space.
    <Button variant="quiet" className={cn('-mr-2 max-w-none px-2', className)} {...rest}>
      <Download />
      Download CSV
    </Button>
  )
}
