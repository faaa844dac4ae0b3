import {
  Bell,
  Coffee,
  Pause,
  Play,
  Plus,
  RotateCcw,
  Save,
  SlidersHorizontal,
  Volume2,
  VolumeX,
  X,
} from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { useStoredChoice } from '#platform/browser/device/stored-choice.ts'
import { useShortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Page } from '#platform/ui/layout/page.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { Tooltip } from '#platform/ui/overlays/tooltip.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import { soundChoice } from '../phase-end/chime.ts'
import { notificationPermission } from '../phase-end/notification.ts'
import type { FocusPlan } from '../plan/focus-plan.ts'
import { SubjectField } from '../subjects/web/subject-field.tsx'
import { isBreakKind } from '../timer/phase.ts'
import { type FocusTimer, idle, type Shown, shownAt } from '../timer/timer.ts'
import { allowSound } from '../timer/web/allowed-sound.ts'
import { useFocusCountdown, useFocusTimer, useStandingTimer } from '../timer/web/focus-timer-context.ts'
import { phaseSentence, statusWords, unansweredWords } from '../timer/web/phase-words.ts'
import { timerDigits } from '../timer/web/timer-digits.ts'
import { startOrPause } from '../timer/web/timer-shortcuts.ts'
import { CycleLine } from './cycle-line.tsx'
import { Ring } from './ring.tsx'
import { TodaysSessions } from './todays-sessions.tsx'

const atRest = shownAt(idle, 0)

interface FocusPageProps {
  /** The person's current plan. */
  plan: FocusPlan
  onPlan(plan: FocusPlan): void
}

export function FocusPage({ plan, onPlan }: FocusPageProps) {
  // Until the timer has been read from the device, the page shows a placeholder that cannot be pressed.
  const countdown = useFocusCountdown()
  const shown = countdown ?? atRest
  const { status, kind, secondsPassed, length } = shown
  const timer = useFocusTimer()
  const standing = useStandingTimer()
  const underway = standing !== undefined && standing.status !== 'idle'
  const planNow = (underway && standing.plan) || plan
  const onBreak = isBreakKind(kind)
  const [permission, setPermission] = useState(notificationPermission)
  const main = useRescuedFocus()
  return (
    <Page
      title="Focus Timer"
      subtitle={phaseSentence(shown, planNow.every)}
      action={
        <div className="flex items-center gap-1">
          {isBegun(status) && permission === 'default' && <NotifyButton onAnswer={setPermission} />}
          <PlanButton
            plan={plan}
            onPlan={onPlan}
            countsUp={standing?.next === 'flow'}
            onCountUp={timer.countUp}
            disabled={countdown === undefined}
          />
          <SoundButton />
        </div>
      }
    >
      <SubjectField
        subject={standing?.subject}
        onChoose={timer.chooseSubject}
        before={onBreak ? 'Next:' : undefined}
        disabled={countdown === undefined}
        className="mx-auto mt-4"
      />
      <div
        className={cn(
          '@container mx-auto mt-6 grid size-71 max-w-full place-items-center *:col-start-1 *:row-start-1',
          'md:[@media(min-height:900px)]:size-83',
        )}
      >
        <Ring
          minutes={kind === 'flow' ? null : Math.round(length / 60)}
          seconds={secondsPassed}
          look={onBreak ? 'break' : status === 'running' ? 'running' : 'held'}
        />
        <div className="text-center">
          <p
            role="timer"
            aria-live="off"
            className={cn(
              'font-medium tracking-[-0.012em] tabular-nums',
              kind === 'flow' && secondsPassed >= 3_600 ? hoursLook : digitsLook,
            )}
          >
            {timerDigits(shown)}
          </p>
          <p className="mt-1.5 text-body font-medium text-ink-2">{statusWords(shown)}</p>
        </div>
      </div>
      <TimerButtons shown={shown} ready={countdown !== undefined} main={main} />
      {shown.asks ? (
        <StillGoing shown={shown} onAnswer={timer.stillGoing} />
      ) : (
        <CycleLine shown={shown} plan={planNow} />
      )}
      <TodaysSessions usual={plan.focus} />
    </Page>
  )
}

/** Asks whether the person is still focusing: after hours of counting up, they may have left long ago. */
function StillGoing({ shown, onAnswer }: { shown: Shown; onAnswer(): void }) {
  return (
    <div className="mt-2.5 flex min-h-10 flex-wrap items-center justify-center gap-x-4 gap-y-2 text-control">
      <p role="status" className="text-balance text-center text-ink-2">
        Still focusing? {unansweredWords(shown)}
      </p>
      <Button variant="secondary" onClick={onAnswer}>
        Still going
      </Button>
    </div>
  )
}

function isBegun(status: FocusTimer['status']): boolean {
  return status === 'running' || status === 'paused'
}

// The digits are never wider than the ring, however large the reader's text is.
const digitsLook = cn(
  'text-[length:min(4.5rem,26cqi)] leading-none',
  'md:[@media(min-height:900px)]:text-[length:min(5rem,26cqi)] md:[@media(min-height:900px)]:leading-none',
)
// Smaller digits, since an inner ring takes up room from the second hour on.
const hoursLook =
  'text-[length:min(3.25rem,18cqi)] leading-none md:[@media(min-height:900px)]:text-[length:min(3.75rem,18cqi)] md:[@media(min-height:900px)]:leading-none'

interface TimerButtonsProps {
  shown: Shown
  ready: boolean
  main: Ref<HTMLButtonElement>
}

interface TimerButton {
  label: string
  icon: ReactNode
  press(): void
}

function TimerButtons({ shown, ready, main }: TimerButtonsProps) {
  const [before, large, after] = useTimerButtons(shown)
  const keys = useShortcut(startOrPause, () => ready && large.press())
  const alone = before === undefined || after === undefined
  return (
    <div className="@container mt-6">
      <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-x-5 @max-[30em]:gap-x-2 @max-[22em]:grid-cols-2 @max-[22em]:gap-y-3">
        <span
          className={cn(
            'justify-self-end @max-[22em]:min-h-10 @max-[22em]:justify-self-stretch @max-[22em]:pointer-coarse:min-h-11',
            alone && (before ? '@max-[22em]:col-span-2' : '@max-[22em]:hidden'),
          )}
        >
          {before && <SideButton {...before} ready={ready} />}
        </span>
        <Button
          ref={main}
          size="large"
          onClick={large.press}
          disabled={!ready}
          aria-keyshortcuts={keys}
          className="min-w-30 @max-[22em]:order-first @max-[22em]:col-span-2"
        >
          {large.icon}
          {large.label}
        </Button>
        <span
          className={cn(
            '@max-[22em]:justify-self-stretch',
            alone && (after ? '@max-[22em]:col-span-2' : '@max-[22em]:hidden'),
          )}
        >
          {after && <SideButton {...after} ready={ready} />}
        </span>
      </div>
    </div>
  )
}

function SideButton({ label, icon, press, ready }: TimerButton & { ready: boolean }) {
  return (
    <Button
      variant="quiet"
      onClick={press}
      disabled={!ready}
      className="px-3 whitespace-nowrap @max-[30em]:px-2 @max-[22em]:w-full"
    >
      {icon}
      {label}
    </Button>
  )
}

/** The buttons for what the timer can do now: the large button, and the optional buttons before and after it. */
function useTimerButtons({
  status,
  kind,
}: Shown): [before: TimerButton | undefined, large: TimerButton, after: TimerButton | undefined] {
  const timer = useFocusTimer()
  const begin = { icon: <Play />, press: timer.start }
  if (isBreakKind(kind)) {
    const more = { label: '5 min more', icon: <Plus />, press: () => timer.lengthenBreak(5) }
    return [
      status === 'finished' ? undefined : more,
      { ...begin, label: 'Start focus', press: timer.startFocus },
      { label: 'Stop', icon: <X />, press: timer.reset },
    ]
  }
  const reset = { label: 'Reset', icon: <RotateCcw />, press: timer.reset }
  if (status === 'idle') return [reset, { ...begin, label: 'Start' }, undefined]
  if (status === 'finished') {
    return [undefined, reset, { label: 'Start break', icon: <Coffee />, press: timer.startBreak }]
  }
  const save = { label: 'Save session', icon: <Save />, press: timer.save }
  if (status === 'paused') return [reset, { ...begin, label: 'Start' }, save]
  return [reset, { label: 'Pause', icon: <Pause />, press: timer.pause }, save]
}

/** Moves the focus to the main button when the focused button disappears. Returns the ref for the main button. */
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

interface PlanButtonProps {
  plan: FocusPlan
  onPlan(plan: FocusPlan): void
  countsUp: boolean
  onCountUp(countsUp: boolean): void
  disabled: boolean
}

function PlanButton({ disabled, ...plan }: PlanButtonProps) {
  const [open, setOpen] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const PlanPopover = usePart(LazyPlanPopover, open)
  return (
    <>
      <Button
        ref={setButton}
        variant="quiet"
        aria-haspopup="dialog"
        aria-expanded={open}
        disabled={disabled}
        onClick={() => setOpen(!open)}
        className="px-3 aria-expanded:bg-hover aria-expanded:text-ink"
      >
        <SlidersHorizontal size={16} />
        Plan
      </Button>
      {PlanPopover && button && (
        <PlanPopover {...plan} open={open} anchor={button} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

const LazyPlanPopover = lazyPart(
  () => import('../plan/web/plan-popover.tsx'),
  'PlanPopover',
  'after the screen',
)

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
            allowSound()
          }}
          // The negative margin lines up the icon with the column's edge. A maximum width would make the button narrower.
          className="-mr-[11px] size-10 max-w-none pointer-coarse:-mr-[13px]"
        >
          {on ? <Volume2 size={18} /> : <VolumeX size={18} />}
        </Button>
      )}
    </Tooltip>
  )
}

/** Asks for permission only while a timer is running or paused, when the person may want to hear about its end. */
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
      <span className="max-md:sr-only">Notify me</span>
    </Button>
  )
}
