import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'

/** Of a phone: 1.6 Mbit/s and 150 ms. */
export const phoneLine = { bytesPerSecond: 200_000, latency: 150 }

/** Puts the page of the session behind such a line; not its service worker, which has a session of its own. */
export async function overPhoneLine(session: CDPSession): Promise<void> {
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: phoneLine.latency,
    downloadThroughput: phoneLine.bytesPerSecond,
    uploadThroughput: phoneLine.bytesPerSecond,
  })
}

/**
 * Runs in a page before its own code. Usable means that a row, of a task or a habit, is painted and the main thread is free to
 * handle a click.
 */
export function markUsable(): void {
  const rows = new MutationObserver(() => {
    if (!document.querySelector('[data-row]:has([data-title]) input')) return
    rows.disconnect()
    requestAnimationFrame(() =>
      setTimeout(() => {
        performance.mark('usable')
        console.warn('usable')
      }),
    )
  })
  rows.observe(document, { subtree: true, childList: true })
}

/**
 * Opens this address in a page with `markUsable`. Resolves to the milliseconds until it was usable. Waits for the page to say so: to
 * be asked is work for a slow processor, and would be counted.
 */
export async function openUntilUsable(page: Page, address: string): Promise<number> {
  const usable = page.waitForEvent('console', (message) => message.text() === 'usable')
  await Promise.all([usable, page.goto(address, { waitUntil: 'commit' })])
  return await page.evaluate(() => performance.getEntriesByName('usable')[0]?.startTime ?? Number.NaN)
}

export interface SentRequest {
  /** The path and what follows it. */
  address: string
  /** Milliseconds from the start of the page. */
  sent: number
  /** NaN for what failed or is not over, such as a stream. */
  received: number
  /** KB of 1,024 bytes of the body, compressed as it was received. */
  size: number
}

export interface WatchedRequests {
  /** Those sent in so many milliseconds from the start of the page, once its files among them are received. */
  before(instant: number): Promise<SentRequest[]>
}

/**
 * Watches what a page that is not yet open asks for, its own document included; but not what its service worker asks for. The
 * page's own list of resources has no streams, and nothing that is still on its way.
 */
export async function watchRequests(page: Page): Promise<WatchedRequests> {
  // In the protocol's own time, which is in seconds.
  const requests = new Map<string, SentRequest & { headers: number; isAwaited: boolean }>()
  const session = await page.context().newCDPSession(page)
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp, type }) => {
    const { protocol, pathname, search } = new URL(request.url)
    if (!protocol.startsWith('http')) return
    requests.set(requestId, {
      address: `${pathname}${search}`,
      sent: timestamp,
      received: Number.NaN,
      size: 0,
      headers: 0,
      // A stream never ends, and the body of another fetch is received only if the page reads it.
      isAwaited: type !== 'Fetch',
    })
  })
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const request = requests.get(requestId)
    if (request) request.headers = response.encodedDataLength
  })
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const request = requests.get(requestId)
    if (!request) return
    request.received = timestamp
    request.size = (encodedDataLength - request.headers) / 1024
    request.isAwaited = false
  })
  session.on('Network.loadingFailed', ({ requestId }) => {
    const request = requests.get(requestId)
    if (request) request.isAwaited = false
  })
  await session.send('Network.enable')
  await session.send('Performance.enable')
  return {
    async before(instant) {
      const { metrics } = await session.send('Performance.getMetrics')
      const start = metrics.find(({ name }) => name === 'NavigationStart')?.value ?? Number.NaN
      const milliseconds = (timestamp: number) => (timestamp - start) * 1000
      const sent = [...requests.values()].filter((request) => milliseconds(request.sent) < instant)
      while (sent.some(({ isAwaited }) => isAwaited)) await pause(50)
      return sent.map(({ address, size, ...request }) => ({
        address,
        sent: milliseconds(request.sent),
        received: milliseconds(request.received),
        size,
      }))
    },
  }
}

/** KB of those whose path ends so, or begins so. */
export function sizeOf(requests: readonly SentRequest[], path: RegExp): number {
  return requests.reduce((sum, { address, size }) => (path.test(pathOf(address)) ? sum + size : sum), 0)
}

/** A line for each of them: when it was sent and received, its KB and its address. */
export function listed(requests: readonly SentRequest[]): string {
  const time = (instant: number) => (Number.isNaN(instant) ? '-' : instant.toFixed(0)).padStart(6)
  return requests
    .map(
      ({ address, sent, received, size }) =>
        `${time(sent)} ${time(received)} ms ${size.toFixed(1).padStart(6)} KB  ${address}`,
    )
    .join('\n')
}

function pathOf(address: string): string {
  return address.replace(/\?.*/s, '')
}
