import { useState } from 'react'
import type { DueCount } from '#features/habits/pages/due-habits.tsx'
import { useLists } from '#features/lists/list/web/use-lists.ts'
import { TodayPage } from '#features/todos/pages/today-page.tsx'
import { usePhone } from '#platform/browser/device/phone.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'
import { useFormattedToday } from '../frame/formatted-today.ts'
import { LazySubjectName } from '../frame/lazy-subject-name.ts'

/** Keeps space for a line that appears later. */
const placeOfLine = '\u00a0'

/** The tasks, habits and focus of today on one page. */
export function Today() {
  const { rows: lists } = useLists()
  const [habits, setHabits] = useState<DueCount>()
  const DueHabits = usePart(LazyDueHabits, true)
  const phone = usePhone()
  const FocusToday = usePart(LazyFocusToday, !phone)
  const SubjectName = usePart(LazySubjectName, false)
  const date = useFormattedToday()
  const [isSought, setSought] = useState<(title: string, ...more: readonly string[]) => boolean>()
  // Until the lists are known, the tasks of archived lists would be shown, too.
  if (!lists) return <LoadingScreen />
  return (
    <TodayPage
      subtitle={<span lang={date?.language}>{date?.label ?? placeOfLine}</span>}
      lists={lists}
      // On a phone, the timer is at the bottom of the window.
      focus={
        !phone && (
          // Reserves the final height.
          <div className="min-h-11 max-w-96">
            {FocusToday && (
              <FocusToday
                variant="secondary"
                subject={(subject) => SubjectName && <SubjectName subject={subject} />}
              />
            )}
          </div>
        )
      }
      habits={DueHabits && <DueHabits isSought={isSought} onCount={setHabits} />}
      habitsShown={habits?.shown ?? 0}
      onSearch={(hasTexts) => setSought(() => hasTexts)}
      habitCount={habits}
    />
  )
}

// The code for habit rhythms is a tenth of the page, so the tasks appear before it.
const LazyDueHabits = lazyPart(
  () => import('#features/habits/pages/due-habits.tsx'),
  'DueHabits',
  'with the screen',
)

const LazyFocusToday = lazyPart(
  () => import('#features/focus/running/focus-today.tsx'),
  'FocusToday',
  'with the screen',
)
