import { readdir } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Registry, single } from './registry.ts'

/** Adds the metrics that Prometheus' own dashboards expect of every program, under their usual names. */
export function addProcessMetrics(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const startedAt = (Date.now() - process.uptime() * 1000) / 1000
  const metrics = [
    single('process_resident_memory_bytes', 'Memory that the process has.', 'gauge', () =>
      process.memoryUsage.rss(),
    ),
    single(
      'nodejs_heap_size_used_bytes',
      'What of it JavaScript uses.',
      'gauge',
      () => process.memoryUsage().heapUsed,
    ),
    single('process_cpu_seconds_total', 'Time of the processor that it has used.', 'counter', () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    }),
    single('process_start_time_seconds', 'When it started.', 'gauge', () => startedAt),
    // This metric is available on Linux only.
    single('process_open_fds', 'Files and connections that it has open.', 'gauge', async () => {
      return (await readdir('/proc/self/fd')).length
    }),
    single(
      'nodejs_eventloop_lag_seconds',
      'How late timers were on average since the metrics were last read.',
      'gauge',
      () => {
        const lag = delay.count > 0 ? Math.max(0, delay.mean / 1e9 - 0.02) : 0
        delay.reset()
        return lag
      },
    ),
  ]
  for (const metric of metrics) registry.add(metric)
}
