import { useEffect } from 'react'

let page: string | undefined
let shownRow: string | undefined
let note: string | undefined

/** Sets the window's title: a note such as the running time, then the page, then 'Daymark'. */
function show() {
  document.title = [note, shownRow ?? page, 'Daymark'].filter((part) => part !== undefined).join(' · ')
}

export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    page = title
    show()
  }, [title])
}

/** Sets the title of a page that is named after what it shows, such as a list. */
export function useRowTitle(title: string | undefined): void {
  useEffect(() => {
    shownRow = title
    show()
    return () => {
      shownRow = undefined
      show()
    }
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
