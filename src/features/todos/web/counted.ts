import { integerFormat } from '#platform/format/format-number.ts'

/** '1 subtask', '5 subtasks' */
export function counted(count: number, noun: string): string {
  return `${integerFormat.format(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** 'Pay the rent', 'Pay the rent and 2 more' */
export function titlesOf([first, ...others]: readonly { title: string }[]): string {
  const title = first?.title ?? ''
  return others.length === 0 ? title : `${title} and ${integerFormat.format(others.length)} more`
}
