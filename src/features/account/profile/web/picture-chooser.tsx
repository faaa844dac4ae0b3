import { CircleAlert } from 'lucide-react'
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react'
import type { User } from '#features/account/session/user.ts'
import { type AuthResponse, post } from '#features/account/session/web/auth-request.ts'
import { useRereadSession } from '#features/account/session/web/session.ts'
import { useFailureToast } from '#features/account/session/web/use-failure-toast.ts'
import { Button, buttonLook } from '#platform/ui/controls/button.tsx'
import { Avatar } from '#platform/ui/signs/avatar.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import { type ChosenPicture, openPicture } from './open-picture.ts'

interface PictureChooserProps {
  user: User
  /** Whether the person has just come back from the preview, so that this component takes the focus. */
  takesFocus: boolean
  /** Receives a file that has passed the checks. */
  onChoose(chosen: ChosenPicture): void
}

/** The current picture, with buttons to change or remove it. */
export function PictureChooser({ user, takesFocus, onChoose }: PictureChooserProps) {
  const rereadSession = useRereadSession()
  const showFailure = useFailureToast()
  const [problem, setProblem] = useState<string>()
  const [removing, setRemoving] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()

  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [takesFocus])

  const choose = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? []
    if (!file) return
    const opened = await openPicture(file)
    // Clear the input: otherwise choosing the same file again after repairing it would fire no change event.
    currentTarget.value = ''
    if (typeof opened === 'string') return setProblem(opened)
    onChoose(opened)
  }

  const remove = async () => {
    setProblem(undefined)
    setRemoving(true)
    const response = await removePicture(user.id)
    if (response.ok) {
      input.current?.focus()
      await rereadSession()
      toast.success('Profile updated successfully')
    } else {
      showFailure('Failed to remove picture', response)
    }
    setRemoving(false)
  }

  return (
    <div className="flex items-start gap-4">
      <Avatar name={user.name} image={user.image} className="size-16 text-heading" />
      <div className="min-w-0">
        <div className="flex flex-wrap gap-2">
          <label
            className={buttonLook({
              variant: 'secondary',
              className:
                'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
            })}
          >
            Change Picture
            <input
              ref={input}
              type="file"
              accept="image/jpeg,image/png,image/gif"
              onChange={choose}
              aria-invalid={problem ? true : undefined}
              aria-describedby={`${id}-hint ${id}-problem`}
              className="sr-only"
            />
          </label>
          {user.image && (
            <Button
              variant="quiet"
              busy={removing}
              onClick={() => void remove()}
              // When the button is on a line of its own, its label aligns with the text above.
              className="@max-[21rem]:-ml-4"
            >
              Remove picture
            </Button>
          )}
        </div>
        <p id={`${id}-hint`} className="mt-2 text-small text-ink-3">
          JPG, PNG or GIF (max 5MB)
        </p>
        <p
          id={`${id}-problem`}
          role="alert"
          className="flex gap-1.5 text-control text-danger not-empty:mt-1 wrap-anywhere"
        >
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

function removePicture(account: string): Promise<AuthResponse> {
  return post('/api/auth/update-user', { image: null }, account)
}
