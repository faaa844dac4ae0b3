import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useBrowserTimeZone } from '#platform/browser/clock/browser-time-zone.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useQueue } from '#platform/sync/react/use-collection.ts'
import { followBrowser } from '../follow-browser.ts'
import type { Preferences } from '../preferences.ts'
import { changePreferences, preferencesCollection } from './preferences-queries.ts'

/**
 * Reports the browser's zone to the account while it follows the browser, so that requests without a day are counted in it,
 * too. Only the server's own response decides whether it still follows: what this device has stored, or has not sent yet,
 * may be older than a zone that the person has fixed on another device, and must not undo it. Changes made here since then
 * count as well. Draws nothing.
 */
export function ReportBrowserZone({ preferences }: { preferences: Preferences | undefined }) {
  const sync = useSync()
  const { data: response, dataUpdatedAt: confirmedAt, refetch } = useQuery(sync.query(preferencesCollection))
  const zone = useBrowserTimeZone()
  const queue = useQueue()
  const reported = useRef<string>(undefined)

  const report = useEffectEvent(() => {
    const confirmed = response?.rows[0]
    const change = preferences && followBrowser(preferences, zone)
    if (!change || !confirmed?.time_zone_follows_browser || reported.current === zone) return
    reported.current = zone
    void queue(changePreferences, { change, at: instantToWire(Date.now()) })
  })
  // 0 means that it was stored on the device, not confirmed by the server.
  useEffect(() => {
    if (confirmedAt > 0) report()
  }, [confirmedAt])

  const zoneAtStart = useRef(zone)
  useEffect(() => {
    if (zone === zoneAtStart.current) return
    zoneAtStart.current = zone
    void refetch()
  }, [zone, refetch])

  // Two devices in two zones would correct each other forever: each reports once when the person comes to it.
  useEffect(() => {
    const onFocus = () => {
      reported.current = undefined
    }
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [])

  return null
}
