import type { Device } from '../device.ts'

/**
 * What a tab has asked of the device when it dies may still be done; it asks nothing more and hears nothing. `answered`
 * passes the time that an answer takes to arrive.
 */
export function mortalDevice(
  device: Device,
  dead: () => boolean,
  answered: () => Promise<void> = async () => {},
): Device {
  const never = new Promise<never>(() => {})
  return new Proxy(device, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return async (...asked: unknown[]) => {
        if (dead()) return never
        const answer: unknown = await value.apply(target, asked)
        await answered()
        return dead() ? never : answer
      }
    },
  })
}
