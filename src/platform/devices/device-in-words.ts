import Bowser from 'bowser'

export interface DeviceWords {
  /** 'Firefox on Linux'. What the browser does not tell is said to be unknown. */
  name: string
  kind: 'computer' | 'phone' | 'tablet' | 'unknown'
}

const unknownDevice: DeviceWords = { name: 'Unknown device', kind: 'unknown' }

const kinds: Record<string, DeviceWords['kind']> = { desktop: 'computer', mobile: 'phone', tablet: 'tablet' }

/** A signed-in device, as far as the text by which its browser introduced itself tells. */
export function deviceInWords(userAgent: string | null | undefined): DeviceWords {
  if (!userAgent) return unknownDevice
  const { browser, os, platform } = Bowser.parse(userAgent)
  // 'Samsung Internet for Android' would be on Android twice.
  const program = browser.name?.replace(/ for Android$/, '')
  // Apple's phones and tablets are known by their own names, not by that of their system.
  const system = os.name === 'iOS' ? (platform.model ?? os.name) : os.name
  if (!program && !system) return unknownDevice
  return {
    name: `${program || 'Unknown browser'} on ${system || 'an unknown system'}`,
    kind: kinds[platform.type ?? ''] ?? 'unknown',
  }
}
