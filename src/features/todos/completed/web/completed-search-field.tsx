import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { Input } from '#platform/ui/controls/input.tsx'
import { searchScreen } from '#platform/ui/search/search-shortcuts.ts'
import { longestSearch } from '../completed-search.ts'
import { searchDelay } from './completed-queries.ts'

/** Puts the typed text into the URL a moment later, so that going back and reloading keep it. */
export function CompletedSearchField() {
  const { search = '' } = useSearch({ from: '/signed-in/todos/completed' })
  const navigate = useNavigate({ from: '/todos/completed' })
  const [typed, setTyped] = useState(search)
  const sought = useRef(search)
  const field = useRef<HTMLInputElement>(null)
  const keys = useShortcut(searchScreen, () => field.current?.focus())
  useEffect(() => {
    // The URL changed without typing: the person went back or forward.
    if (search !== sought.current) {
      sought.current = search
      setTyped(search)
    }
  }, [search])
  useEffect(() => {
    const text = typed.trim()
    if (text === sought.current) return
    const timer = setTimeout(() => {
      sought.current = text
      void navigate({
        search: (before) => ({ ...before, search: text === '' ? undefined : text }),
        replace: true,
      })
    }, searchDelay)
    return () => clearTimeout(timer)
  }, [typed, navigate])
  return (
    <search className="mt-6 block">
      <Input
        ref={field}
        aria-keyshortcuts={keys}
        type="search"
        aria-label="Search completed tasks"
        placeholder="Search completed tasks"
        autoComplete="off"
        enterKeyHint="search"
        maxLength={longestSearch}
        dir="auto"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </search>
  )
}
