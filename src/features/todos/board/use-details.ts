import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useLayoutEffect, useRef } from 'react'

declare module '@tanstack/history' {
  interface HistoryState {
    /** Set if the details were opened from the list, so that going back returns to the list. */
    detailsFromList?: true
    /** The element to focus in details that were opened from another page. */
    detailsAt?: 'title'
  }
}

/** The to-do whose details are open. Its id is in the address, so that a reload or going back keeps it. */
export function useDetails() {
  const { task: id } = useSearch({ strict: false })
  const fromList = useLocation({ select: ({ state }) => state.detailsFromList })
  const navigate = useNavigate()
  const { history } = useRouter()
  const latest = useRef({ id, fromList })
  // Use a layout effect: it runs before the effects of the details panel, which may close the panel.
  useLayoutEffect(() => {
    latest.current = { id, fromList }
  }, [id, fromList])

  const go = useCallback(
    (task: string | undefined, replace: boolean) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, task }),
        state: {
          detailsFromList: task !== undefined && (!replace || latest.current.fromList) ? true : undefined,
        },
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  const show = useCallback((task: string) => go(task, latest.current.id !== undefined), [go])
  const close = useCallback(() => {
    const { id, fromList } = latest.current
    if (id === undefined) return
    // Going back takes a moment. Forget the id, so that a second call does not go back again.
    latest.current = { id: undefined, fromList }
    if (fromList) history.back()
    else go(undefined, true)
  }, [history, go])
  return { id, show, close }
}
