import { spawn } from 'node:child_process'
import type { Logger } from 'pino'

/**
 * Tells systemd, if it waits for that, that Daymark is ready: `systemctl start` returns only then. Node cannot speak over
 * systemd's kind of socket, and its own program comes with it.
 */
export function tellServiceManager(log: Logger): void {
  if (!process.env.NOTIFY_SOCKET) return
  const telling = spawn('systemd-notify', ['--ready'], { stdio: 'ignore' })
  // So that no child process can tell systemd anything.
  delete process.env.NOTIFY_SOCKET
  const failed = (reason: string) => log.error({ reason }, 'systemd could not be told that Daymark is ready')
  telling.once('error', (error) => failed(error.message))
  telling.once('exit', (code, signal) => {
    if (code !== 0) failed(`systemd-notify ended with ${code ?? signal}`)
  })
}
