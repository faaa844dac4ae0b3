import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { cn } from '../class-names.ts'
import { Button } from './button.tsx'
import { Input } from './input.tsx'

/** A password field whose text the person can show. */
export function PasswordInput({ className, disabled, ...rest }: ComponentProps<'input'>) {
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <Input
        {...rest}
        disabled={disabled}
        type={shown ? 'text' : 'password'}
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        className={cn('pr-11 pointer-coarse:pr-12', className)}
      />
      <Button
        variant="icon"
        className="absolute inset-y-0 right-1 my-auto pointer-coarse:right-0"
        aria-label="Show password"
        aria-pressed={shown}
        disabled={disabled}
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeOff /> : <Eye />}
      </Button>
    </div>
  )
}
