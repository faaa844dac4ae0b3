import { Download } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'

/** A button for the right end of a line. Its label is flush with the end of the line. */
export function DownloadButton({ className, ...rest }: ComponentProps<typeof Button>) {
  return (
    // `-mr-2` moves the button's padding past the end of the line, which makes the container narrower than the button. A maximum
    // width would then wrap the label although there is room.
    <Button variant="quiet" className={cn('-mr-2 max-w-none px-2', className)} {...rest}>
      <Download />
      Download CSV
    </Button>
  )
}
