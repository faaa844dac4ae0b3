import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { instantToWire } from '#platform/calendar/day.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { aboutAsText } from '../backups/about.ts'
import { nameAt } from '../backups/backup-name.ts'
import { collectMetrics } from '../operating/metrics.ts'
import { openApplication } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const token = 'a token of the tests that is long enough'
const withToken = { headers: { authorization: `Bearer ${token}` } }

describeEachEngine('metrics', (openEmpty, engine) => {
  async function openWithMetrics(backups?: Parameters<typeof collectMetrics>[0]['backups']) {
    let now = noon
    const clock = () => now
    const { metrics, database } = collectMetrics({ database: await openEmpty(), token, backups, clock })
    const daymark = openApplication(database, { metrics, clock })
    const readMetrics = async () => {
      const { status, headers, body } = await daymark.ask('GET', '/metrics', withToken)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
      return parseMetrics(body)
    }
    const later = () => {
      now += 60_000
    }
    return { daymark, readMetrics, later }
  }

  it('do not exist unless they are enabled', async () => {
    const daymark = openApplication(await openEmpty())
    const { status, body } = await daymark.ask('GET', '/metrics', withToken)
    expect(status).toBe(404)
    expect(body).not.toContain('daymark_requests_total')
  })

  it('are shown only to someone with the token', async () => {
    const { daymark } = await openWithMetrics()
    for (const authorization of [undefined, token, `Bearer ${token}x`, 'Bearer ', `Basic ${token}`]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const asked = await daymark.ask('GET', '/metrics', { headers })
      expect(asked).toMatchObject({ status: 401, body: { code: 'NO_METRICS_TOKEN' } })
      expect(asked.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  it('count requests by route, method and status, both cached and routed ones, and writes', async () => {
    const { daymark, readMetrics } = await openWithMetrics()
    const { cookie } = await daymark.signUp('Ada')
    const before = await readMetrics()
    const todo = await daymark.ask('POST', '/api/todos', { cookie, body: { title: 'Write', completed: 0 } })
    const path = `/api/todos/${todo.body.todo.id}`
    for (const completed of [1, 0, 1]) await daymark.ask('PUT', path, { cookie, body: { completed } })
    const { headers } = await daymark.ask('GET', '/api/todos', { cookie })
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    for (let time = 0; time < 5; time += 1) await daymark.ask('GET', '/api/todos', { cookie, headers: known })
    expect((await daymark.ask('GET', '/api/todos')).status).toBe(401)

    const after = await readMetrics()
    const requests = (labels: string) => after.get(`daymark_requests_total{${labels}}`)
    expect(requests('method="POST",route="/api/todos",status="201"')).toBe(1)
    expect(requests('method="PUT",route="/api/todos/{id}",status="200"')).toBe(3)
    expect(requests('method="GET",route="/api/todos",status="200"')).toBe(1)
    expect(requests('method="GET",route="/api/todos",status="304"')).toBe(5)
    expect(requests('method="GET",route="/api/todos",status="401"')).toBe(1)
    expect(after.get('daymark_request_seconds_count{route="/api/todos"}')).toBe(8)
    expect(after.get('daymark_request_seconds_bucket{route="/api/todos",le="+Inf"}')).toBe(8)
    const written = (of: typeof after) => of.get('daymark_writes_total') ?? 0
    expect(written(after) - written(before)).toBe(4)
    expect(after.get('daymark_write_seconds_count')).toBe(written(after))
    const { version } = (await daymark.ask('GET', '/api/health')).body
    expect(after.get(`daymark_info{version="${version}",engine="${engine}"}`)).toBe(1)
    expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(1e6)
    expect(daymark.lines.filter((line) => line.includes('/metrics'))).toEqual([])
  })

  it('do not grow in number, whatever strangers request', async () => {
    const { daymark, readMetrics } = await openWithMetrics()
    const paths = (from: number) => Array.from({ length: 300 }, (_, number) => `/x${from + number}/api`)
    const askAll = async (from: number) => {
      for (const path of paths(from)) {
        await daymark.ask('GET', path)
        await daymark.ask('GET', `/api${path}?${path}`)
        await daymark.ask('PROPFIND', path)
      }
    }
    await askAll(0)
    await readMetrics()
    const before = [...(await readMetrics()).keys()]
    await askAll(1000)
    const after = await readMetrics()
    expect([...after.keys()].filter((name) => !before.includes(name))).toEqual([])
    const others = [...after].filter(([name]) => name.includes('method="other"'))
    expect(others.reduce((sum, [, value]) => sum + value, 0)).toBe(600)
  })

  it('report overdue reminders, open streams, and how old the newest backup is', async () => {
    const to = mkdtempSync(join(tmpdir(), 'daymark-metrics-'))
    onTestFinished(() => rmSync(to, { recursive: true, force: true }))
    const folder = join(to, nameAt(noon - 3_600_000))
    mkdirSync(folder)
    const parts = { 'daymark.db': { bytes: 1234, sha256: 'a'.repeat(64) } }
    const about = { daymark: '0.1.0', engine: 'sqlite', made_at: '', migration: '', rows: {}, parts } as const
    writeFileSync(join(folder, 'backup.json'), aboutAsText(about))
    const { daymark, readMetrics, later } = await openWithMetrics({
      every: undefined,
      to,
      keep: { daily: 7, weekly: 4 },
    })
    const { cookie } = await daymark.signUp('Ada')
    const overdue = { title: 'Call', completed: 0, remind_at: instantToWire(noon + 1_000) }
    expect((await daymark.ask('POST', '/api/todos', { cookie, body: overdue })).status).toBe(201)
    later()
    const headers = { cookie, host: 'localhost' }
    const stream = await daymark.app.request('/api/events', { headers }, { address: '192.0.2.1' })
    const reader = stream.body?.getReader()
    await reader?.read()
    const values = await readMetrics()
    expect(values.get('daymark_alarms_overdue')).toBe(1)
    expect(values.get('daymark_reminders_waiting')).toBe(0)
    expect(values.get('daymark_event_streams')).toBe(1)
    expect(values.get('daymark_backup_age_seconds')).toBe(3660)
    expect(values.get('daymark_backup_bytes')).toBe(1234)
    await reader?.cancel()
    expect((await readMetrics()).get('daymark_event_streams')).toBe(0)
  })
})

describe('the format', () => {
  it('this parser rejects a wrong line', () => {
    for (const wrong of ['x 1', '# TYPE x gauge\nx{a=b} 1', '# TYPE x gauge\nx one', '# TYPE x gauge\ny 1']) {
      expect(() => parseMetrics(`${wrong}\n`)).toThrow('no metric')
    }
  })
})

const number = /^-?(\d+(\.\d+)?(e[+-]?\d+)?|\+?Inf)$/i

/** The metrics by name and labels, parsed as strictly as the format is specified. */
function parseMetrics(text: string): Map<string, number> {
  const metrics = new Map<string, number>()
  let family = ''
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.split('\n').slice(0, -1)) {
    const described = /^# (HELP [a-z_]+ .+|TYPE ([a-z_]+) (counter|gauge|histogram))$/.exec(line)
    if (described) {
      family = described[2] ?? family
      continue
    }
    const labels = '[a-z]+="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"'
    const found = new RegExp(`^([a-z_]+)(\\{${labels}(?:,${labels})*\\})? (\\S+)$`).exec(line)
    const [, name = '', own = '', value = ''] = found ?? []
    const ofFamily =
      family !== '' && [family, `${family}_bucket`, `${family}_sum`, `${family}_count`].includes(name)
    if (!ofFamily || !number.test(value) || metrics.has(name + own)) throw new Error(`no metric: ${line}`)
    metrics.set(name + own, Number(value))
  }
  return metrics
}
