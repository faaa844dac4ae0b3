import type { ZoneChoice } from '#features/imports/pages/import-questions.tsx'
import { Imports } from '#features/imports/pages/imports.tsx'
import { TimeZoneChoice } from '#features/preferences/web/time-zone-choice.tsx'
import { browserTimeZone } from '#platform/browser/clock/browser-time-zone.ts'
import { ImportExample } from './import-example.tsx'

/** The imports card, with parts of other features. */
export function ImportsOfFeatures({ takePreferences }: { takePreferences: boolean }) {
  return <Imports takePreferences={takePreferences} drawExample={ImportExample} zoneChoice={ChooseZone} />
}

const ChooseZone: ZoneChoice = ({ labelledBy, zone, onChoose }) => (
  <TimeZoneChoice
    names={{ 'aria-labelledby': labelledBy, 'aria-describedby': undefined }}
    zone={zone}
    followsBrowser={false}
    onChoose={(chosen) => onChoose(chosen ?? browserTimeZone())}
  />
)
