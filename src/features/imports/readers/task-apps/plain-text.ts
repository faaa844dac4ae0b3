/** The visible text of HTML, because some apps store notes as HTML. Text without any tag is not changed. */
export function plainText(html: string): string {
  if (!/<[a-z!/][^>]*>/i.test(html)) return html
  return html
    .replaceAll(/<(style|script)\b.*?<\/\1>/gis, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/<li\b[^>]*data-checked="true"[^>]*>/gi, '\n[x] ')
    .replaceAll(/<li\b[^>]*>/gi, '\n- ')
    .replaceAll(/<\/(p|div|h[1-6]|tr|ul|ol|blockquote|pre)>/gi, '\n')
    .replaceAll(/<a\b[^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gis, (_, address: string, text: string) => {
      const shown = text.replaceAll(/<[^>]*>/g, '').trim()
      return shown === '' || shown === address ? address : `${shown} (${address})`
    })
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(#\d+|#x[\da-f]+|[a-z]+);/gi, (all, name: string) => entity(name) ?? all)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
