import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useSync } from '#platform/sync/sync-context.ts'
import { useBrowserTimeZone } from '#platform/ui/browser-time-zone.ts'
import { followBrowser } from '../follow-browser.ts'
import type { Preferences } from '../preferences.ts'
import { preferencesList } from './preferences-queries.ts'
import { useChangePreferences } from './use-preferences.ts'

/**
 * Tells the account the browser's zone while it follows it, so that calls which name no day are counted in it too.
 * Only the server's own answer decides whether it still follows: what this device remembers, or has not sent yet, may be
 * older than a zone that the person has fixed on another one, and must not undo it. What was changed here since is heeded
 * as well.
 */
export function useTellBrowsersZone(preferences: Preferences | undefined) {
  const sync = useSync()
  const { data: answer, dataUpdatedAt: answeredAt, refetch } = useQuery(sync.query(preferencesList))
  const zone = useBrowserTimeZone()
  const change = useChangePreferences()
  const told = useRef<string>(undefined)

  const tell = useEffectEvent(() => {
    const answered = answer?.rows[0]
    const news = preferences && followBrowser(preferences, zone)
    if (!news || !answered?.time_zone_follows_browser || told.current === zone) return
    told.current = zone
    change(news)
  })
  // 0: remembered, not answered.
  useEffect(() => {
    if (answeredAt > 0) tell()
  }, [answeredAt])

  const zoneAtStart = useRef(zone)
  useEffect(() => {
    if (zone === zoneAtStart.current) return
    zoneAtStart.current = zone
    void refetch()
  }, [zone, refetch])

  // Two devices in two zones would correct each other for ever: each has its say once when the person comes to it.
  useEffect(() => {
    const arrive = () => {
      told.current = undefined
    }
    window.addEventListener('focus', arrive)
    return () => window.removeEventListener('focus', arrive)
  }, [])
}
