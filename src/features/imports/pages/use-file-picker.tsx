import { type ReactNode, useRef } from 'react'

/** The browser's own choice of a file. `input` has to be rendered somewhere. */
export function useFilePicker(onChoose: (file: File) => void): { input: ReactNode; open(): void } {
  const field = useRef<HTMLInputElement>(null)
  return {
    // Of any kind: what a file is, its content says.
    input: (
      <input
        ref={field}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) onChoose(file)
          // So that the same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    ),
    open: () => field.current?.click(),
  }
}
