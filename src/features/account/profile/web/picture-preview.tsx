import { CircleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { reasonOf } from '#features/account/session/web/auth-request.ts'
import { useRereadSession } from '#features/account/session/web/session.ts'
import { useFailureToast } from '#features/account/session/web/use-failure-toast.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import { type ChosenPicture, previewSide } from './open-picture.ts'
import { uploadPicture } from './upload-picture.ts'

interface PicturePreviewProps {
  account: string
  chosen: ChosenPicture
  onClose(): void
}

/** A preview of the chosen picture. Nothing is sent before 'Upload' is pressed. */
export function PicturePreview({ account, chosen, onClose }: PicturePreviewProps) {
  const rereadSession = useRereadSession()
  const showFailure = useFailureToast()
  /** The share of the upload that is done, 0 to 1; undefined while nothing is being sent. */
  const [sent, setSent] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const underWay = useRef<AbortController>(undefined)
  const uploadButton = useRef<HTMLButtonElement>(null)
  const sending = sent !== undefined

  useEffect(() => uploadButton.current?.focus(), [])

  const upload = async () => {
    const controller = new AbortController()
    underWay.current = controller
    setProblem(undefined)
    setSent(0)
    const { signal } = controller
    const response = await uploadPicture({ account, image: chosen.image, signal, onProgress: setSent })
    if (!response || response.ok) {
      // A cancelled upload may have reached the server all the same, so read the session again.
      await rereadSession()
      if (response) toast.success('Profile updated successfully')
      return onClose()
    }
    showFailure('Failed to update picture', response)
    setProblem(response.failure?.fields?.image ?? reasonOf(response))
    setSent(undefined)
  }

  const cancel = () => {
    if (sending) underWay.current?.abort()
    else onClose()
  }

  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <Preview square={chosen.square} />
      <div className="min-w-0 flex-1 basis-48">
        <p className="text-control text-ink-2">Your picture will be cropped to a circle.</p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button ref={uploadButton} busy={sending} onClick={() => void upload()}>
            {sending ? 'Uploading...' : 'Upload'}
          </Button>
          <Button variant="secondary" onClick={cancel}>
            Cancel
          </Button>
        </div>
        {sending && <Progress part={sent} />}
        <p role="alert" className="flex gap-1.5 text-control text-danger not-empty:mt-3 wrap-anywhere">
          {problem && (
            <>
              <CircleAlert size={14} className="mt-[3px] shrink-0" />
              <span className="min-w-0">{problem}</span>
            </>
          )}
        </p>
      </div>
    </div>
  )
}

/** The square that is stored, with the circle that screens show of it. */
function Preview({ square }: { square: ImageBitmap }) {
  return (
    <div className="relative size-32 shrink-0 overflow-hidden rounded-card">
      <canvas
        role="img"
        aria-label="Preview of your new picture"
        width={previewSide}
        height={previewSide}
        ref={(canvas) => canvas?.getContext('2d')?.drawImage(square, 0, 0)}
        className="size-full bg-heat-0"
      />
      <div className="absolute inset-0 rounded-full shadow-[0_0_0_64px_var(--veil)]" />
    </div>
  )
}

function Progress({ part }: { part: number }) {
  const percent = Math.floor(part * 100)
  return (
    <div className="mt-3 max-w-64">
      <progress
        aria-label="Upload"
        value={percent}
        max={100}
        className={[
          'block h-1.5 w-full appearance-none overflow-hidden rounded-full border-none bg-heat-0',
          '[&::-webkit-progress-bar]:bg-heat-0 [&::-webkit-progress-value]:bg-accent [&::-moz-progress-bar]:bg-accent',
        ].join(' ')}
      />
      <p className="mt-1 text-small text-ink-3 tabular-nums">
        {percent < 100 ? `${percent}% uploaded` : 'Uploaded. Waiting for the server...'}
      </p>
    </div>
  )
}
