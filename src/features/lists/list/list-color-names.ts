import type { ListColor } from './list-row.ts'

export const listColorNames: Record<ListColor, string> = {
  1: 'Blue',
  2: 'Plum',
  3: 'Teal',
  4: 'Violet',
  5: 'Olive',
  6: 'Rose',
}
