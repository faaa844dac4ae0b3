import { useState } from 'react'
import { FocusToday } from '#features/focus/web/focus-today.tsx'
import { DueHabits } from '#features/habits/web/due-habits.tsx'
import { useHabitsDue } from '#features/habits/web/use-habits-due.ts'
import { useLists } from '#features/lists/web/use-lists.ts'
import { useMakeList } from '#features/lists/web/use-make-list.ts'
import { LatePushPermissionNote } from '#features/reminders/web/late-push-permission-note.tsx'
import { useReminderSet } from '#features/reminders/web/reminders-provider.tsx'
import { TodayPage } from '#features/todos/web/today-page.tsx'
import { usePhone } from '#platform/browser/phone.ts'
import { LoadingScreen } from '#platform/ui/layout/spinner.tsx'
import { useFormattedToday } from './formatted-today.ts'

/** What is due today: tasks, habits and focus on one page. */
export function Today() {
  const { rows: lists } = useLists()
  const makeList = useMakeList(lists)
  const habits = useHabitsDue()
  const onReminderSet = useReminderSet()
  const date = useFormattedToday()
  const phone = usePhone()
  const [isSought, setSought] = useState<(title: string, ...more: readonly string[]) => boolean>()
  const shown = habits.due?.filter(
    ({ habit: { name, description } }) => !isSought || isSought(name, description),
  )
  // Until they are known, the tasks of archived ones would be shown, too.
  if (!lists) return <LoadingScreen />
  return (
    <TodayPage
      subtitle={<span lang={date.language}>{date.label}</span>}
      lists={lists}
      // On a phone it is at the bottom of the window.
      focus={!phone && <FocusToday variant="secondary" />}
      habits={<DueHabits {...habits} due={shown} />}
      habitsShown={shown?.length ?? 0}
      onSearch={(hasTexts) => setSought(() => hasTexts)}
      habitCount={
        habits.due && {
          due: habits.due.length,
          done: habits.due.filter(({ count }) => count.completed).length,
        }
      }
      onReminderSet={onReminderSet}
      makeList={makeList}
      pushPermissionNote={<LatePushPermissionNote />}
    />
  )
}
