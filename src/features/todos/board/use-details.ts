import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useLayoutEffect, useRef } from 'react'

declare module '@tanstack/history' {
  interface HistoryState {
    /** The details were opened from their list, to which going back returns. */
    detailsFromList?: true
    /** Where the focus goes in the details that were opened from elsewhere. */
    detailsAt?: 'title'
  }
}

/** Whose details are shown: the address says it, so that reloading and going back keep it. */
export function useDetails() {
  const { task: id } = useSearch({ strict: false })
  const fromList = useLocation({ select: ({ state }) => state.detailsFromList })
  const navigate = useNavigate()
  const { history } = useRouter()
  const latest = useRef({ id, fromList })
  // Before the effects of the details themselves, which may close them.
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
    // Going back takes a moment, in which it must not be done again.
    latest.current = { id: undefined, fromList }
    if (fromList) history.back()
    else go(undefined, true)
  }, [history, go])
  return { id, show, close }
}
