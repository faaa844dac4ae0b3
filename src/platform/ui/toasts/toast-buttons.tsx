import { X } from 'lucide-react'
import { cn } from '../class-names.ts'
import { Button } from '../controls/button.tsx'
import type { ToastAction } from './toast.ts'

interface ToastButtonsProps {
  actions: readonly ToastAction[]
  /** Whether the actions are to the right of the text instead of below it. */
  beside: boolean
  /** Called when one of the actions is pressed. */
  onAnswer(): void
  onClose(): void
}

/** The buttons of a toast in tab order: the actions, then the close button. */
export function ToastButtons({ actions, beside, onAnswer, onClose }: ToastButtonsProps) {
  return (
    <>
      {actions.length > 0 && (
        <span
          className={cn(
            'flex flex-wrap gap-2',
            beside
              ? // If the text is large for the width, the actions go below it as well.
                'col-start-3 row-start-1 ml-3 @max-[18em]:col-start-2 @max-[18em]:row-start-2 @max-[18em]:mt-3 @max-[18em]:ml-0'
              : 'col-start-2 row-start-2 mt-3 pointer-coarse:mt-2',
          )}
        >
          {actions.map(({ label, onClick }, place) => (
            <Button
              key={label}
              variant={place === 0 ? 'secondary' : 'quiet'}
              onClick={() => {
                onClick()
                onAnswer()
              }}
              className="min-h-8 px-3"
            >
              {label}
            </Button>
          ))}
        </span>
      )}
      <Button
        variant="icon"
        aria-label="Close notification"
        onClick={onClose}
        className={cn(
          'col-start-4 row-start-1 -my-1.5 ml-2 pointer-coarse:-my-3 pointer-coarse:-mr-2',
          !beside && 'self-start',
        )}
      >
        <X />
      </Button>
    </>
  )
}
