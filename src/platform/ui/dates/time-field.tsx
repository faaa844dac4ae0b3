import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { english } from '#platform/language/english.ts'
import { typedTime } from '#platform/language/typed-date.ts'
import { cn } from '../class-names.ts'
import { Input } from '../controls/input.tsx'
import { timeStep } from './date-shortcuts.ts'

interface TimeFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  /** The time in minutes after midnight; null for none. */
  value: number | null
  /** Called with every key: undefined while the text is no valid time, null once the field is empty. */
  onChange(time: number | null | undefined): void
}

/**
 * A time of day, typed as '18:00', '6pm' or '1830', or stepped with the arrow keys. On leaving, the field shows the value as
 * '18:00', whatever was typed.
 */
export function TimeField({ value, onChange, className, ...rest }: TimeFieldProps) {
  const [typed, setTyped] = useState<string>()
  const understood = typed === undefined ? value : typed.trim() === '' ? null : typedTime(typed, english)
  const step = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!isPressed(timeStep, event)) return
    event.preventDefault()
    setTyped(undefined)
    onChange(stepped(understood ?? value, event.key === 'ArrowUp' ? 1 : -1))
  }
  return (
    <Input
      role="spinbutton"
      aria-valuemin={0}
      aria-valuemax={minutesInDay - 1}
      aria-valuenow={understood ?? undefined}
      aria-valuetext={understood == null ? undefined : timeOfDay(understood)}
      aria-invalid={understood === undefined || undefined}
      autoComplete="off"
      enterKeyHint="done"
      value={typed ?? (value === null ? '' : timeOfDay(value))}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text)
        onChange(text.trim() === '' ? null : typedTime(text, english))
      }}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={step}
      onBlur={() => setTyped(undefined)}
      className={cn('tabular-nums', className)}
      {...rest}
    />
  )
}

const minutesInDay = 24 * 60
const minutesInStep = 15
export const nineInTheMorning = 9 * 60

/** Steps to the next quarter of an hour, wrapping around at midnight. Without a time, starts at nine in the morning. */
function stepped(time: number | null, steps: 1 | -1): number {
  if (time === null) return nineInTheMorning
  const quarters = steps === 1 ? Math.floor(time / minutesInStep) : Math.ceil(time / minutesInStep)
  return ((quarters + steps) * minutesInStep + minutesInDay) % minutesInDay
}
