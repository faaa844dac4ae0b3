import Bowser from 'bowser'

export interface DeviceDescription {
  /** Such as 'Firefox on Linux'. Parts that the browser does not reveal are called unknown. */
  name: string
  kind: 'computer' | 'phone' | 'tablet' | 'unknown'
}

const unknownDevice: DeviceDescription = { name: 'Unknown device', kind: 'unknown' }

const kinds: Record<string, DeviceDescription['kind']> = {
  desktop: 'computer',
  mobile: 'phone',
  tablet: 'tablet',
}

/** Describes a signed-in device, as far as its user agent reveals. */
export function formatDevice(userAgent: string | null | undefined): DeviceDescription {
  if (!userAgent) return unknownDevice
  const { browser, os, platform } = Bowser.parse(userAgent)
  // 'Samsung Internet for Android' would mention Android twice.
  const program = browser.name?.replace(/ for Android$/, '')
  // People know Apple's phones and tablets by the model, not by the system.
  const system = os.name === 'iOS' ? (platform.model ?? os.name) : os.name
  if (!program && !system) return unknownDevice
  return {
    name: `${program || 'Unknown browser'} on ${system || 'an unknown system'}`,
    kind: kinds[platform.type ?? ''] ?? 'unknown',
  }
}
