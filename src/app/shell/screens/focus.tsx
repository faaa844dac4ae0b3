import { FocusPage } from '#features/focus/pages/focus-page.tsx'
import { defaultPlan } from '#features/focus/plan/focus-plan.ts'
import { useChangePreferences, usePreferences } from '#features/preferences/web/use-preferences.ts'
import { FocusSubjects } from './focus-subjects.tsx'

/** The focus timer, with the tasks and habits that it can be about. */
export function Focus() {
  const { preferences } = usePreferences()
  const change = useChangePreferences()
  return (
    <FocusSubjects>
      <FocusPage
        plan={preferences?.focus_plan ?? defaultPlan}
        onPlan={(focus_plan) => change({ focus_plan })}
      />
    </FocusSubjects>
  )
}
