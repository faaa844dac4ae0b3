import { describe, expect, it } from 'vitest'
import { Arrivals } from './arrivals.ts'
import { Network, type Partition } from './network.ts'
import { PlayedTime } from './played-time.ts'

const start = Date.UTC(2026, 10, 30, 20)

/** A device's network to a process that answers everything, and whether it was asked by now. */
function cutOff(way: Partition['way'], afterwards: Partition['afterwards']) {
  const time = new PlayedTime(start)
  const asked: string[] = []
  const process = {
    clock: () => time.now,
    ask: async (_: string, path: string) => {
      asked.push(path)
      return { status: 200, body: {}, bytes: new Uint8Array(), headers: new Headers() }
    },
  }
  const network = new Network({
    place: 0,
    cookie: 'a',
    processes: [process],
    arrivals: new Arrivals(time),
    time,
  })
  network.partition = { way, until: start + 10_000, afterwards }
  const response = network.fetch('/api/todos', { method: 'GET' })
  const ended = response.then(
    ({ status }) => status,
    () => 'broke',
  )
  return { network, time, asked, ended }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a partition', () => {
  it('on the way there keeps a request from the server until it ends', async () => {
    const { network, time, asked, ended } = cutOff('there', 'arrives')
    time.pass(9_999)
    await turn()
    expect(asked).toEqual([])
    // Nobody waits for it as for a request that will be answered by itself.
    expect(network.inFlight.size).toBe(0)
    time.pass(1)
    expect(await ended).toBe(200)
    expect(asked).toEqual(['/api/todos'])
  })

  it('that swallows a request lets the server never hear of it', async () => {
    const { time, asked, ended } = cutOff('there', 'lost')
    await turn()
    time.pass(10_000)
    expect(await ended).toBe('broke')
    expect(asked).toEqual([])
  })

  it('on the way back lets the server answer, and the device wait', async () => {
    const { network, time, asked, ended } = cutOff('back', 'arrives')
    await turn()
    expect(asked).toEqual(['/api/todos'])
    expect(network.inFlight.size).toBe(0)
    time.pass(10_000)
    expect(await ended).toBe(200)
  })

  it('that swallows a response leaves the device without one, although the server has answered', async () => {
    const { time, asked, ended } = cutOff('back', 'lost')
    await turn()
    time.pass(10_000)
    expect(await ended).toBe('broke')
    expect(asked).toEqual(['/api/todos'])
  })
})
