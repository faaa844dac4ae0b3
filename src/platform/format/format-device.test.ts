import { describe, expect, test } from 'vitest'
import { formatDevice } from './format-device.ts'

const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const chromium = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('the description of a device', () => {
  test.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Firefox on Linux',
      'computer',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${apple} Version/18.1 Mobile/15E148 Safari/604.1`,
      'Safari on iPhone',
      'phone',
    ],
    [
      `Mozilla/5.0 (iPad; CPU OS 16_1 like Mac OS X) ${apple} Version/16.1 Mobile/15E148 Safari/604.1`,
      'Safari on iPad',
      'tablet',
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${apple} Version/18.1 Safari/605.1.15`,
      'Safari on macOS',
      'computer',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Chrome/142.0.0.0 Safari/537.36`,
      'Chrome on Windows',
      'computer',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
      'Microsoft Edge on Windows',
      'computer',
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${chromium} Chrome/142.0.0.0 Mobile Safari/537.36`,
      'Chrome on Android',
      'phone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; SM-S921B) ${chromium} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
      'phone',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${apple} FxiOS/142.0 Mobile/15E148 Safari/604.1`,
      'Firefox on iPhone',
      'phone',
    ],
  ])('%s', (userAgent, name, kind) => {
    expect(formatDevice(userAgent)).toEqual({ name, kind })
  })

  test('what is not known is called unknown and never guessed', () => {
    for (const userAgent of [null, undefined, '', 'node', 'curl/8.1.2', 'Mozilla/5.0', '\0'.repeat(500)]) {
      expect(formatDevice(userAgent), String(userAgent)).toEqual({ name: 'Unknown device', kind: 'unknown' })
    }
    expect(formatDevice('Firefox/140.0').name).toBe('Firefox on an unknown system')
    expect(formatDevice('(Linux)').name).toBe('Unknown browser on Linux')
  })
})
