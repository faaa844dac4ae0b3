import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultPlan } from '#features/focus/focus-plan.ts'
import { type ImportPiece, importLists } from '../exported-account.ts'
import { formatImport } from './format-counts.ts'
import { sendPieces } from './send-pieces.ts'

const habitsPiece: ImportPiece = { habits: [] }
const preferencesPiece: ImportPiece = {
  preferences: {
    time_zone: 'Mars/Olympus',
    time_zone_follows_browser: false,
    day_start: 0,
    week_start: 1,
    theme: 'system',
    todos_sort: 'newest',
    start_page: 'todos',
    focus_plan: defaultPlan,
  },
}
const none = { added: 0, restored: 0 }
const imported = (tasks: number) => ({
  ...Object.fromEntries(Object.keys(importLists).map((list) => [list, none])),
  todos: { added: tasks, restored: 0 },
})

let answers: (Response | 'lost')[]
const took = (tasks: number) => Response.json(imported(tasks))
const refused = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ code: 'NO', message }, { status, headers })

async function send(...pieces: ImportPiece[]) {
  const sending = sendPieces('ann', pieces, () => {})
  await vi.runAllTimersAsync()
  return sending
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.stubGlobal('fetch', async () => {
    const answer = answers.shift()
    if (!answer || answer === 'lost') throw new TypeError('Failed to fetch')
    return answer
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('sending an account piece by piece', () => {
  it('counts what each piece added', async () => {
    answers = [took(2), took(3)]
    expect(await send(habitsPiece, habitsPiece)).toEqual({
      added: expect.objectContaining({ todos: 5 }),
      sentAgain: false,
    })
  })

  it('remembers that a piece was sent again after its response was lost', async () => {
    answers = [took(2), 'lost', took(0)]
    expect(await send(habitsPiece, habitsPiece)).toEqual({
      added: expect.objectContaining({ todos: 2 }),
      sentAgain: true,
    })
  })

  it('tells rejected preferences apart from an import that stopped', async () => {
    answers = [took(2), refused(422, 'Unknown time zone.')]
    expect(await send(habitsPiece, preferencesPiece)).toEqual({
      added: expect.objectContaining({ todos: 2 }),
      sentAgain: false,
      preferencesProblem: 'Unknown time zone.',
    })
    answers = [took(2), refused(422, 'A bad row.')]
    expect(await send(habitsPiece, habitsPiece)).toMatchObject({ problem: 'A bad row.' })
  })

  it('goes on as often as the server asks it to wait, and waits as long as asked', async () => {
    const busy = () => refused(429, 'Too many requests.', { 'retry-after': '7' })
    answers = [took(2), ...Array.from({ length: 20 }, busy), took(3)]
    const begun = Date.now()
    expect(await send(habitsPiece, habitsPiece)).toEqual({
      added: expect.objectContaining({ todos: 5 }),
      sentAgain: true,
    })
    expect(Date.now() - begun).toBe(140_000)
  })

  it('gives up after ten minutes, and does not call a server unreachable that asks it to wait', async () => {
    answers = Array.from({ length: 100 }, () => refused(429, 'Too many.', { 'retry-after': '60' }))
    expect(await send(habitsPiece)).toMatchObject({ problem: 'The server is busy. Try again later.' })
    expect(answers).toHaveLength(89)
    answers = []
    expect(await send(habitsPiece)).toMatchObject({ problem: "The server can't be reached." })
  })
})

describe('what an import has come to', () => {
  const inFile = { todos: 3 }
  const said = (tasks: number, sentAgain: boolean) =>
    formatImport(inFile, { added: { todos: tasks }, sentAgain })

  it('says that the rest was already here', () => {
    expect(said(3, false)).toBe('Imported: 3 tasks.')
    expect(said(1, false)).toBe("Imported: 1 task. The rest was already in your account and hasn't changed.")
    expect(said(0, false)).toBe('Everything in this file was already in your account.')
  })

  it('does not say so where this import itself may have added it', () => {
    expect(said(3, true)).toBe('Imported: 3 tasks.')
    expect(said(1, true)).toBe('Imported: 1 task. The rest is in your account too.')
    expect(said(0, true)).toBe('Everything in this file is now in your account.')
  })
})
