import { expect, it } from 'vitest'
import { pagesByKey, stretchesByKey } from './keyset-pagination.ts'

async function pagesOf(keys: readonly number[], atOnce: number) {
  const steps: string[] = []
  const read = async (last?: number) => {
    steps.push(`after ${last ?? 'nothing'}`)
    return keys.filter((key) => key > (last ?? 0)).slice(0, atOnce)
  }
  const pages = await Array.fromAsync(
    pagesByKey(atOnce, read, async () => {
      steps.push('between')
    }),
  )
  return { pages, steps }
}

it('has every row once, and nothing is read again once a page is not full', async () => {
  const { pages, steps } = await pagesOf([1, 2, 3], 2)
  expect(pages).toEqual([[1, 2], [3]])
  expect(steps).toEqual(['after nothing', 'between', 'after 2'])
})

it('looks once more after a last page that is full', async () => {
  expect((await pagesOf([1, 2], 2)).pages).toEqual([[1, 2], []])
})

it('is one empty page where there are no rows', async () => {
  const { pages, steps } = await pagesOf([], 2)
  expect(pages).toEqual([[]])
  expect(steps).toEqual(['after nothing'])
})

it('reads no page before the one before it was used, nor once nobody wants more', async () => {
  const reads: number[] = []
  const read = async (last?: number) => [reads.push(last ?? 0)]
  for await (const [key = 0] of pagesByKey(1, read)) {
    expect(reads).toHaveLength(key)
    if (key === 3) break
  }
  expect(reads).toEqual([0, 1, 2])
})

it('splits what is not read into stretches that follow each other, the last without an end', async () => {
  const keys = [1, 2, 3, 4, 5]
  const endAfter = async (after = 0) => keys.filter((key) => key > after)[1]
  expect(await Array.fromAsync(stretchesByKey(endAfter))).toEqual([
    { after: undefined, end: 2 },
    { after: 2, end: 4 },
    { after: 4, end: undefined },
  ])
})
