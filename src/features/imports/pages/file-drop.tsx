import { FileUp } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { toast } from '#platform/ui/toasts/toast.ts'

/** Accepts a file that is dropped anywhere on the page. Otherwise the browser would open the file in place of the page. */
export function FileDrop({ onDrop }: { onDrop(file: File): void }) {
  const [over, setOver] = useState(false)
  const take = useEffectEvent((files: FileList) => {
    const [file, ...others] = files
    if (others.length > 0) toast.warning('One file at a time', { description: 'Drop the files one by one.' })
    else if (file) onDrop(file)
  })

  useEffect(() => {
    const move = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    // A missing related target means that the drag left the window.
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(false)
      if (event.dataTransfer) take(event.dataTransfer.files)
    }
    window.addEventListener('dragover', move)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', move)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])

  if (!over) return null
  return createPortal(
    <div className="pointer-events-none fixed inset-0 z-40 grid place-items-center bg-veil p-4">
      <p className="flex items-center gap-3 rounded-card border-2 border-accent border-dashed bg-raised px-6 py-5 font-medium text-body">
        <FileUp size={18} className="shrink-0 text-accent" />
        Drop the file to import it
      </p>
    </div>,
    document.body,
  )
}

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}
