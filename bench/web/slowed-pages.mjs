import { setTimeout as pause } from 'node:timers/promises'

// The throttle of DevTools slows a page down, but leaves its workers as they are. Stopping their process slows both.

/** Milliseconds that slowed processes run, and rest: a quarter of the speed. */
const [runs, rests] = [5, 15]

/**
 * The processes of the pages and their workers, and one that the browser keeps ready.
 * @param {import('@playwright/test').Browser} browser
 */
export async function pageProcesses(browser) {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}

/**
 * Until the signal, after which they run as fast as they can.
 * @param {readonly number[]} processes
 * @param {AbortSignal} signal
 */
export async function slowDown(processes, signal) {
  while (!signal.aborted) {
    for (const id of processes) process.kill(id, 'SIGSTOP')
    await pause(rests)
    for (const id of processes) process.kill(id, 'SIGCONT')
    await pause(runs)
  }
}
