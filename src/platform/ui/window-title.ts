import { useEffect } from 'react'

let page: string | undefined
let note: string | undefined

/** What the window's title says before ' · Daymark': the page, and before it a note such as a running time. */
function show() {
  document.title = [note, page, 'Daymark'].filter((part) => part !== undefined).join(' · ')
}

export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    page = title
    show()
  }, [title])
}

export function useTitleNote(text: string | undefined): void {
  useEffect(() => {
    note = text
    show()
  }, [text])
  useEffect(
    () => () => {
      note = undefined
      show()
    },
    [],
  )
}
