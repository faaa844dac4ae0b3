import { integerFormat } from '#platform/format/format-number.ts'

/** 'Pay the rent', 'Pay the rent and 2 more' */
export function titlesOf([first, ...others]: readonly { title: string }[]): string {
  const title = first?.title ?? ''
  return others.length === 0 ? title : `${title} and ${integerFormat.format(others.length)} more`
}
