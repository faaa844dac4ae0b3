import { integerFormat } from '#platform/format/format-number.ts'

/** '1 subtask', '5 subtasks' */
export function counted(count: number, noun: string): string {
  return `${integerFormat.format(count)} ${noun}${count === 1 ? '' : 's'}`
}
