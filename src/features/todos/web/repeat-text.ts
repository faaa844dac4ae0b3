import { ruleOf } from '../repeat-rule.ts'
import { repeatWords } from '../repeat-words.ts'

/** By what rule a to-do comes back, in a few words; also by one of a newer version, which cannot be read. */
export function repeatText(repeat: object): string {
  const rule = ruleOf(repeat)
  return rule ? repeatWords(rule) : 'by a rule of a newer version'
}
