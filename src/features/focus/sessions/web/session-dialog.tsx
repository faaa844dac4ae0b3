import { type FormEvent, useState } from 'react'
import { subjectFields } from '#features/focus/subjects/focus-subject.ts'
import { SubjectField } from '#features/focus/subjects/web/subject-field.tsx'
import { subjectKey, subjectOf } from '#features/focus/subjects/web/subjects.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { instantToWire } from '#platform/calendar/day.ts'
import { wallTimeOf } from '#platform/calendar/wall-time.ts'
import { formatDuration } from '#platform/format/format-time.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { useKeptWhileEdited } from '#platform/sync/react/use-kept-while-edited.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Field } from '#platform/ui/controls/field.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { DayField } from '#platform/ui/dates/day-field.tsx'
import { TimeField } from '#platform/ui/dates/time-field.tsx'
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogTitle,
  useFocusReturn,
} from '#platform/ui/overlays/dialog.tsx'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import type { FocusSession } from '../focus-session.ts'
import { focusSessionCollection } from '../focus-session-collection.ts'
import { changeFocusSession, recordFocusSession } from './focus-queries.ts'
import { draftOf, minutesMeant, newDraft, type SessionTimes, timesOf } from './session-draft.ts'

interface SessionDialogProps {
  open: boolean
  onClose(): void
  /** The session to correct; undefined to add a new session. */
  session: FocusSession | undefined
  /** The initial length of an added session, in minutes. */
  usual: number
}

/** Corrects a session, or adds one. Load this component with `lazyPart`. */
export function SessionDialog({ open, onClose, session, usual }: SessionDialogProps) {
  useKeptWhileEdited(focusSessionCollection, session, open)
  const focusReturn = useFocusReturn(() => document.querySelector('main h1'))
  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent {...focusReturn}>
        <DialogTitle>{session ? 'Edit session' : 'Add a session'}</DialogTitle>
        <SessionForm session={session} usual={usual} onDone={onClose} />
      </DialogContent>
    </Dialog>
  )
}

function SessionForm({
  session,
  usual,
  onDone,
}: Pick<SessionDialogProps, 'session' | 'usual'> & { onDone(): void }) {
  const { timeZone, dayStart } = useUserCalendar()
  const [openedAt] = useState(Date.now)
  const [subject, setSubject] = useState(session && subjectOf(session))
  // Undefined for the total of a day, which has no start and end to edit.
  const [draft, setDraft] = useState(() =>
    session ? draftOf(session, timeZone) : newDraft(openedAt, usual, timeZone),
  )
  const [tried, setTried] = useState(false)
  const save = useSaveSession(session)
  const answer = draft && timesOf(draft, session, { timeZone, dayStart, now: Math.max(openedAt, Date.now()) })
  const problem = answer && 'problem' in answer ? answer.problem : undefined
  const change = (changes: Partial<NonNullable<typeof draft>>) =>
    setDraft((before) => before && { ...before, ...changes })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (problem !== undefined) return
    save({ subject, times: answer && 'times' in answer ? answer.times : undefined })
    onDone()
  }
  return (
    <form onSubmit={submit} className="mt-5 grid gap-4">
      <div>
        <p className="mb-2 text-control font-medium">Working on</p>
        <SubjectField subject={subject} onChoose={setSubject} className="w-full" />
      </div>
      {draft && (
        <>
          {!session && (
            <DayField
              label="Day"
              value={draft.day}
              today={wallTimeOf(openedAt, timeZone).day}
              onChange={(day) => day && change({ day })}
            />
          )}
          <div className="grid grid-cols-3 gap-3 max-[24rem]:grid-cols-2">
            <Field label="Start">
              {(control) => (
                <TimeField
                  {...control}
                  value={draft.from ?? null}
                  onChange={(from) => change({ from: from ?? undefined })}
                />
              )}
            </Field>
            <Field label="End">
              {(control) => (
                <TimeField
                  {...control}
                  value={draft.to ?? null}
                  onChange={(to) => change({ to: to ?? undefined })}
                />
              )}
            </Field>
            <Field label="Focused">
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  value={draft.focused ?? focusedText(minutesMeant(draft, session, timeZone))}
                  onChange={(event) => change({ focused: event.currentTarget.value })}
                  onFocus={(event) => event.currentTarget.select()}
                />
              )}
            </Field>
          </div>
          <p role="alert" className="text-control text-danger empty:hidden">
            {(tried || draft.focused !== undefined) && problem}
          </p>
        </>
      )}
      <DialogFooter className="mt-1">
        <DialogClose asChild>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button type="submit">{session ? 'Save' : 'Add'}</Button>
      </DialogFooter>
    </form>
  )
}

function focusedText(minutes: number | undefined): string {
  return minutes === undefined ? '' : formatDuration(minutes * 60)
}

function useSaveSession(session: FocusSession | undefined) {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  return ({ subject, times }: { subject: ReturnType<typeof subjectOf>; times: SessionTimes | undefined }) => {
    const now = Date.now()
    const at = instantToWire(now)
    const label = formatDuration(times?.duration ?? session?.duration ?? 0)
    const offer = (title: string, id: string) =>
      offerUndo(title, { row: { list: focusSessionCollection.name, subject: id }, description: label })
    if (!session) {
      if (!times) return
      const id = newRowId(now, crypto.getRandomValues(new Uint8Array(10)))
      void write(recordFocusSession, {
        session: { id, kind: 'hand', ...subjectFields(subject), ...times },
        label,
        at,
      })
      offer('Session added', id)
      return
    }
    const { id } = session
    const isElsewhere = subjectKey(subject) !== subjectKey(subjectOf(session))
    const isMoved =
      times !== undefined &&
      (times.duration !== session.duration ||
        times.started_at !== session.started_at ||
        times.ended_at !== session.ended_at)
    if (isElsewhere) void write(changeFocusSession, { id, changes: subjectFields(subject), label, at })
    if (isMoved) void write(changeFocusSession, { id, changes: times, label, at })
    if (isElsewhere || isMoved) offer('Session changed', id)
  }
}
