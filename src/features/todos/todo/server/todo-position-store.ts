import { positionShortener } from '#platform/database/rows/short-positions.ts'
import { newestFirst } from '#platform/order/position.ts'

export const { shortened, shortenPositions } = positionShortener('todos', newestFirst)
