import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { usePhone } from '#platform/browser/device/phone.ts'
import { Switch } from '#platform/ui/controls/switch.tsx'
import { BottomSheet, BottomSheetContent } from '#platform/ui/overlays/bottom-sheet.tsx'
import { Popover, PopoverContent } from '#platform/ui/overlays/popover.tsx'
import { defaultPlan, type FocusPlan, planLimits } from '../focus-plan.ts'
import { Stepper } from './stepper.tsx'

interface PlanPopoverProps {
  open: boolean
  anchor: HTMLElement
  onClose(): void
  plan: FocusPlan
  onPlan(plan: FocusPlan): void
  /** Whether the next focus phase counts up. */
  countsUp: boolean
  onCountUp(countsUp: boolean): void
}

const presets = [
  { name: 'Classic', ...lengthsOf(defaultPlan) },
  { name: 'Long', focus: 50, break: 10, long_break: 20, every: 4 },
]

/** Sets the lengths of the phases. A phase that is already running keeps the plan that it began with. */
export function PlanPopover({ open, anchor, onClose, ...plan }: PlanPopoverProps) {
  const onPhone = usePhone()
  const root = { open, onOpenChange: (stays: boolean) => stays || onClose() }
  const frame = {
    label: 'Plan',
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      anchor.focus()
    },
  }
  return onPhone ? (
    <BottomSheet {...root}>
      <BottomSheetContent {...frame} className="pt-6">
        <PlanFields {...plan} />
      </BottomSheetContent>
    </BottomSheet>
  ) : (
    <Popover {...root}>
      <PopoverContent {...frame} anchor={anchor} align="end" className="w-76">
        <PlanFields {...plan} />
      </PopoverContent>
    </Popover>
  )
}

function PlanFields({
  plan,
  onPlan,
  countsUp,
  onCountUp,
}: Pick<PlanPopoverProps, 'plan' | 'onPlan' | 'countsUp' | 'onCountUp'>) {
  const heading = useId()
  const byItself = useId()
  const change = (changes: Partial<FocusPlan>) => onPlan({ ...plan, ...changes })
  return (
    <div className="px-4 pt-2 pb-3">
      <p id={heading} className="py-1 text-small font-medium text-ink-3">
        Plan
      </p>
      <div role="radiogroup" aria-labelledby={heading} className="-mx-3">
        {presets.map(({ name, ...lengths }) => (
          <Choice
            key={name}
            group={heading}
            name={name}
            says={[lengths.focus, lengths.break, lengths.long_break].join(' · ')}
            chosen={!countsUp && hasLengths(plan, lengths)}
            onChoose={() => {
              if (countsUp) onCountUp(false)
              if (!hasLengths(plan, lengths)) change(lengths)
            }}
          />
        ))}
        <Choice
          group={heading}
          name="Count up"
          says="Break by what was done"
          chosen={countsUp}
          onChoose={() => onCountUp(true)}
        />
      </div>
      <div className="my-1 border-line border-y py-1">
        <Stepper
          unit="min"
          label="Focus"
          value={plan.focus}
          most={planLimits.focus}
          step={5}
          onChange={(focus) => change({ focus })}
        />
        <Stepper
          unit="min"
          label="Break"
          value={plan.break}
          most={planLimits.break}
          step={1}
          onChange={(minutes) => change({ break: minutes })}
        />
        <Stepper
          unit="min"
          label="Long break"
          value={plan.long_break}
          most={planLimits.break}
          step={5}
          onChange={(long_break) => change({ long_break })}
        />
        <Stepper
          label="Long after"
          unit="sessions"
          value={plan.every}
          most={planLimits.every}
          step={1}
          onChange={(every) => change({ every })}
        />
      </div>
      <label
        htmlFor={byItself}
        className="flex min-h-10 cursor-pointer items-center justify-between gap-3 text-control pointer-coarse:min-h-11"
      >
        Breaks start by themselves
        <Switch
          id={byItself}
          checked={plan.auto_start}
          onChange={(event) => change({ auto_start: event.currentTarget.checked })}
        />
      </label>
    </div>
  )
}

interface ChoiceProps {
  group: string
  name: string
  says: ReactNode
  chosen: boolean
  onChoose(): void
}

function Choice({ group, name, says, chosen, onChoose }: ChoiceProps) {
  return (
    <label className="relative flex min-h-9 cursor-pointer items-center gap-2 rounded-control px-3 text-control hover:bg-hover has-checked:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-11">
      <input
        type="radio"
        name={group}
        checked={chosen}
        onChange={onChoose}
        className="absolute inset-0 m-0 cursor-pointer appearance-none outline-none"
      />
      <span className="grow">{name}</span>
      <span className="text-ink-3 text-small tabular-nums">{says}</span>
      <Check size={16} className={chosen ? 'text-accent' : 'invisible'} />
    </label>
  )
}

function lengthsOf({ auto_start, ...lengths }: FocusPlan) {
  return lengths
}

function hasLengths(plan: FocusPlan, lengths: Omit<FocusPlan, 'auto_start'>): boolean {
  const { focus, break: pause, long_break, every } = lengths
  return (
    plan.focus === focus && plan.break === pause && plan.long_break === long_break && plan.every === every
  )
}
