/** A part of a note: plain text, or a link if `href` is set. */
export interface NotePart {
  text: string
  href?: string
}

/** Splits a note into text and links to web and mail addresses. Punctuation that ends a sentence is not part of an address. */
export function partsOfNote(note: string): NotePart[] {
  const parts: NotePart[] = []
  let end = 0
  for (const { 0: found, index } of note.matchAll(address)) {
    const text = withoutEnding(found)
    const href = hrefOf(text)
    if (href === undefined) continue
    if (index > end) parts.push({ text: note.slice(end, index) })
    parts.push({ text, href })
    end = index + text.length
  }
  if (end < note.length) parts.push({ text: note.slice(end) })
  return parts
}

const address = /(?<![\p{L}\p{N}])(?:https?:\/\/|www\.|mailto:)[^\s<>"“”]+/giu

function withoutEnding(found: string): string {
  let text = found
  for (;;) {
    const last = text.at(-1) ?? ''
    const isStray = last === ')' && text.split(')').length > text.split('(').length
    if (!/[.,;:!?'’*_~\]}…]/.test(last) && !isStray) return text
    text = text.slice(0, -1)
  }
}

function hrefOf(text: string): string | undefined {
  const whole = /^www\./i.test(text) ? `https://${text}` : text
  if (!URL.canParse(whole)) return
  const { protocol, hostname, href } = new URL(whole)
  return protocol === 'mailto:' || hostname.includes('.') || hostname === 'localhost' ? href : undefined
}
