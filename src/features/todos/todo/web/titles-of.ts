import { andMore } from '#platform/format/words.ts'

/** 'Pay the rent', 'Pay the rent and 2 more' */
export function titlesOf([first, ...others]: readonly { title: string }[]): string {
  return andMore(first?.title ?? '', others.length)
}
