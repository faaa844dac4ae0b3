import { useState } from 'react'
import type { User } from '#features/account/session/user.ts'
import { Card } from '#platform/ui/layout/card.tsx'
import { NameForm } from './name-form.tsx'
import type { ChosenPicture } from './open-picture.ts'
import { PictureChooser } from './picture-chooser.tsx'
import { PicturePreview } from './picture-preview.tsx'

/** The picture, name and email of the account. */
export function ProfileCard({ user }: { user: User }) {
  const [chosen, setChosen] = useState<ChosenPicture>()
  const [cameBack, setCameBack] = useState(false)

  return (
    <Card title="Profile Information" subtitle="How you appear in Daymark">
      <div className="mt-4">
        {chosen ? (
          <PicturePreview
            account={user.id}
            chosen={chosen}
            onClose={() => {
              setCameBack(true)
              setChosen(undefined)
            }}
          />
        ) : (
          <PictureChooser user={user} takesFocus={cameBack} onChoose={setChosen} />
        )}
      </div>
      {/* Only one button is the main one: while a picture is chosen, that is its upload button. */}
      <NameForm user={user} quiet={chosen !== undefined} />
    </Card>
  )
}
