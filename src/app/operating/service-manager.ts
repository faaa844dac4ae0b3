import { spawn } from 'node:child_process'
import type { Logger } from 'pino'

/**
 * Tells systemd that Daymark is ready, if systemd waits for it: `systemctl start` returns only then. Uses systemd's own
 * program, since Node cannot use systemd's kind of socket.
 */
export function tellServiceManager(log: Logger): void {
  if (!process.env.NOTIFY_SOCKET) return
  const telling = spawn('systemd-notify', ['--ready'], { stdio: 'ignore' })
  // Remove the variable, so that no child process can tell systemd anything.
  delete process.env.NOTIFY_SOCKET
  const failed = (reason: string) => log.error({ reason }, 'systemd could not be told that Daymark is ready')
  telling.once('error', (error) => failed(error.message))
  telling.once('exit', (code, signal) => {
    if (code !== 0) failed(`systemd-notify ended with ${code ?? signal}`)
  })
}
