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
 * Reports the browser's time zone while the account follows the browser, so that the server also uses it for requests without a
 * day. Only a response of the server decides whether the account still follows the browser. The person may have chosen a fixed
 * zone on another device, and older data stored or queued here must not undo that choice. Changes made here since the response
 * count as well. Renders nothing.
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
  // 0 means that the rows come from this device and not from the server.
  useEffect(() => {
    if (confirmedAt > 0) report()
  }, [confirmedAt])

  const zoneAtStart = useRef(zone)
  useEffect(() => {
    if (zone === zoneAtStart.current) return
    zoneAtStart.current = zone
    void refetch()
  }, [zone, refetch])

  // Report again only when the person returns to this window: two open devices in two zones would otherwise correct each other
  // forever.
  useEffect(() => {
    const onFocus = () => {
      reported.current = undefined
    }
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [])

  return null
}
