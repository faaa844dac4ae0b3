import { positionShortener } from '#platform/database/short-positions.ts'
import { newestFirst } from '#platform/order/position.ts'

export const { isTooLong, shortenPositions } = positionShortener('todos', newestFirst)
