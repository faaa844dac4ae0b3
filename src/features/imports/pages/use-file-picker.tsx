import { type ReactNode, useRef } from 'react'

/** The browser's file dialog. `input` has to be rendered somewhere. */
export function useFilePicker(onChoose: (file: File) => void): { input: ReactNode; open(): void } {
  const field = useRef<HTMLInputElement>(null)
  return {
    // Accept any type of file: the content decides what it is.
    input: (
      <input
        ref={field}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) onChoose(file)
          // Reset the field, so that the same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    ),
    open: () => field.current?.click(),
  }
}
