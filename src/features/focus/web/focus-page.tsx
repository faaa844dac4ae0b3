import { Bell, CircleCheck, Pause, Play, RotateCcw, Save, Volume2, VolumeX } from 'lucide-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { useShortcut } from '#platform/browser/shortcuts.ts'
import { useStoredChoice } from '#platform/browser/stored-choice.ts'
import { digits } from '#platform/format/format-time.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Page } from '#platform/ui/layout/page.tsx'
import { toast } from '#platform/ui/overlays/toast.ts'
import { Tooltip } from '#platform/ui/overlays/tooltip.tsx'
import { type FocusTimer, idle, shownAt } from '../timer.ts'
import { allowChime, soundChoice } from './chime.ts'
import { startOrPause } from './focus-shortcuts.ts'
import { useFocusCountdown, useFocusTimer } from './focus-timer-context.ts'
import { notificationPermission } from './notification.ts'
import { Ring } from './ring.tsx'
import { TodaysSessions } from './todays-sessions.tsx'

const atRest = shownAt(idle, 0)

export function FocusPage() {
  // Nothing can be pressed until the device has been read: until then this is a placeholder, not a timer.
  const countdown = useFocusCountdown()
  const { status, secondsLeft, secondsPassed: focused } = countdown ?? atRest
  const begun = isBegun(status)
  const [permission, setPermission] = useState(notificationPermission)
  const main = useRescuedFocus()
  return (
    <Page
      title="Focus Timer"
      subtitle="Pomodoro Timer - 25 minutes of focused work"
      action={
        <div className="flex items-center gap-1">
          {begun && permission === 'default' && <NotifyButton onAnswer={setPermission} />}
          <SoundButton />
        </div>
      }
    >
      <div className="@container mx-auto mt-12 grid size-83 max-w-full place-items-center max-md:mt-10 max-md:size-68 *:col-start-1 *:row-start-1">
        <Ring seconds={focused} running={status === 'running'} />
        <div className="text-center">
          <p role="timer" aria-live="off" className={digitsLook}>
            {digits(secondsLeft)}
          </p>
          <p className="mt-1.5 text-body font-medium text-ink-2">{statusText[status]}</p>
        </div>
      </div>
      <p
        role="status"
        className="flex min-h-14 items-center justify-center gap-2 text-body font-medium text-accent"
      >
        {status === 'finished' && (
          <>
            <CircleCheck size={20} className="shrink-0" />
            Time's up! Great work!
          </>
        )}
      </p>
      <TimerButtons status={status} ready={countdown !== undefined} main={main} />
      <TodaysSessions unrecorded={begun ? { seconds: focused, running: status === 'running' } : undefined} />
    </Page>
  )
}

function isBegun(status: FocusTimer['status']): boolean {
  return status === 'running' || status === 'paused'
}

// As large as its size asks for, but never wider than the ring, however large the reader's text.
const digitsLook = cn(
  'text-[length:min(5rem,27cqi)] leading-none font-medium tracking-[-0.012em] tabular-nums',
  'max-md:text-[length:min(4.5rem,27cqi)]',
)

const statusText = {
  idle: 'Ready to focus?',
  running: 'Stay focused!',
  paused: 'Paused',
  finished: 'Take a break!',
} satisfies Record<FocusTimer['status'], string>

interface TimerButtonsProps {
  status: FocusTimer['status']
  ready: boolean
  main: Ref<HTMLButtonElement>
}

function TimerButtons({ status, ready, main }: TimerButtonsProps) {
  const timer = useFocusTimer()
  const press = { idle: timer.start, running: timer.pause, paused: timer.start, finished: timer.reset }[
    status
  ]
  const keys = useShortcut(startOrPause, () => ready && press())
  return (
    <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-x-5 max-md:grid-cols-2 max-md:gap-x-2 max-md:gap-y-3">
      <span
        className={cn(
          'justify-self-end max-md:min-h-10 max-md:justify-self-stretch max-md:pointer-coarse:min-h-11',
          !isBegun(status) && 'max-md:col-span-2',
        )}
      >
        {status !== 'finished' && (
          <Button variant="quiet" onClick={timer.reset} disabled={!ready} className="px-3 max-md:w-full">
            <RotateCcw />
            Reset
          </Button>
        )}
      </span>
      <Button
        ref={main}
        size="large"
        onClick={press}
        disabled={!ready}
        aria-keyshortcuts={keys}
        className="min-w-34 max-md:order-first max-md:col-span-2"
      >
        <MainIcon status={status} />
        {mainLabel[status]}
      </Button>
      <span className={cn('max-md:justify-self-stretch', !isBegun(status) && 'max-md:hidden')}>
        {isBegun(status) && (
          <Button variant="quiet" onClick={timer.save} className="px-3 max-md:w-full">
            <Save />
            Save session
          </Button>
        )}
      </span>
    </div>
  )
}

/**
 * When a button disappears while it has the focus, moves the focus to the button that stays. The returned value is for
 * that one.
 */
function useRescuedFocus() {
  const main = useRef<HTMLButtonElement>(null)
  const focused = useRef<Element>(null)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      focused.current = target instanceof Element && target.closest('main') ? target : null
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  useEffect(() => {
    if (focused.current?.isConnected !== false || document.activeElement !== document.body) return
    focused.current = null
    main.current?.focus({ preventScroll: true })
  })
  return main
}

const mainLabel = {
  idle: 'Start',
  running: 'Pause',
  paused: 'Start',
  finished: 'Reset',
} satisfies Record<FocusTimer['status'], string>

function MainIcon({ status }: { status: FocusTimer['status'] }) {
  if (status === 'running') return <Pause />
  return status === 'finished' ? <RotateCcw /> : <Play />
}

function SoundButton() {
  const on = useStoredChoice(soundChoice) === 'on'
  const label = on ? 'Mute sound' : 'Unmute sound'
  return (
    <Tooltip label={label}>
      {(anchor) => (
        <Button
          {...anchor}
          variant="icon"
          aria-label={label}
          onClick={() => {
            soundChoice.write(on ? 'off' : 'on')
            allowChime()
          }}
          // The visible part ends where the column does; limited to the column, the button would be narrower.
          className="-mr-[11px] size-10 max-w-none pointer-coarse:-mr-[13px]"
        >
          {on ? <Volume2 size={18} /> : <VolumeX size={18} />}
        </Button>
      )}
    </Tooltip>
  )
}

/** Asks for permission only here, while a timer is running whose end the person may want to hear of. */
function NotifyButton({ onAnswer }: { onAnswer(permission: NotificationPermission): void }) {
  const requestPermission = async () => {
    const permission = await Notification.requestPermission()
    onAnswer(permission)
    if (permission === 'granted') toast("You'll be notified when time's up")
    if (permission === 'denied')
      toast('This browser is blocking notifications', { description: 'You can allow them in its settings.' })
  }
  return (
    <Button variant="quiet" onClick={() => void requestPermission()} className="px-3">
      <Bell />
      Notify me
    </Button>
  )
}
