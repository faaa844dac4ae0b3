import type { RegisteredRouter } from '@tanstack/react-router'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Range } from '#features/analytics/metrics/range.ts'
import { focusWrites } from '#features/focus/sessions/web/focus-queries.ts'
import { habitWrites } from '#features/habits/habit/web/habit-queries.ts'
import { pauseWrites } from '#features/habits/pauses/web/pause-queries.ts'
import { listWrites } from '#features/lists/list/web/list-queries.ts'
import { todoWrites } from '#features/todos/todo/web/todo-queries.ts'
import { screensOpenToAll, signedInScreens } from './screens.ts'

type Screens = RegisteredRouter['routesByPath']

describe('the table of screens', () => {
  test('names each address once', () => {
    const paths = [...screensOpenToAll, ...signedInScreens].map(
      ({ options }) => 'path' in options && options.path,
    )
    expect(paths).toEqual([...new Set(paths)])
  })

  test('reads first what there is', () => {
    const collections = [...todoWrites, ...listWrites, ...habitWrites, ...pauseWrites, ...focusWrites].map(
      ({ collection }) => collection.name,
    )
    const read = signedInScreens.flatMap(({ options }) => options.staticData?.reads ?? [])
    expect(read.filter((name) => !collections.includes(name))).toEqual([])
    expect(read.length).toBeGreaterThan(0)
  })

  test('lets links lead to screens only, with what may stand in their addresses', () => {
    expectTypeOf<'/analytics/todos'>().toExtend<keyof Screens>()
    expectTypeOf<'/lists/$id'>().toExtend<keyof Screens>()
    expectTypeOf<'/nowhere'>().not.toExtend<keyof Screens>()
    expectTypeOf<Screens['/analytics']['types']['fullSearchSchema']>().toEqualTypeOf<{
      range?: Range | undefined
    }>()
  })
})
