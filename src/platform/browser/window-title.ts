import { useEffect } from 'react'

let page: string | undefined
let note: string | undefined

/** Sets the window's title: a note such as the running time, the page, then 'Daymark'. */
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
