import { ChevronRight } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { DataRow } from '#platform/ui/layout/data-row.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { useImportRun } from '../writing/web/use-import-run.ts'
import { FileDrop } from './file-drop.tsx'
import { useFilePicker } from './use-file-picker.tsx'

/** The row with which an import begins: choose a file, or drop one on the page. */
export function ImportRow() {
  const { state, choose } = useImportRun()
  const { input, open } = useFilePicker(choose)
  const button = useRef<HTMLButtonElement>(null)
  const isIdle = state.step === 'none'
  const wasIdle = useRef(isIdle)
  useEffect(() => {
    // The import's card has gone, and with it the focused element.
    if (isIdle && !wasIdle.current && document.activeElement === document.body) button.current?.focus()
    wasIdle.current = isIdle
  }, [isIdle])
  return (
    <>
      <DataRow
        label="Import a file"
        hint="From Todoist, TickTick, Loop, Habitica and others, or from Daymark. Or drop it on this page"
        action={
          <Button ref={button} variant="secondary" busy={state.step === 'writing'} onClick={open}>
            {state.step === 'writing' ? 'Importing...' : 'Import'}
          </Button>
        }
      />
      <HowToExport />
      {input}
      <FileDrop onDrop={choose} />
    </>
  )
}

function HowToExport() {
  const [open, setOpen] = useState(false)
  const Sources = usePart(LazySources, open)
  const id = useId()
  return (
    <div className="pb-3">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className="-mt-1 flex min-h-8 items-center gap-1 rounded-control text-left text-control text-ink-2 transition-colors hover:text-ink pointer-coarse:min-h-11"
      >
        <ChevronRight size={14} className={cn('shrink-0 transition-transform', open && 'rotate-90')} />
        What can be imported, and how to export it
      </button>
      {open && <div id={id}>{Sources && <Sources />}</div>}
    </div>
  )
}

const LazySources = lazyPart(() => import('./sources.tsx'), 'Sources', 'after the screen')
