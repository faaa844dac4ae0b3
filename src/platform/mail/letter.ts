/** The text of a mail, around its link. */
export interface Letter {
  before: string
  label: string
  link: string
  after: string
  /** A second link, for people whom the first one does not help. */
  otherwise?: { before: string; label: string; link: string }
}

/** Renders the text and HTML parts of a mail. Names and texts are escaped, so they cannot become markup. */
export function renderLetter(
  name: string,
  { before, label, link, after, otherwise }: Letter,
): { text: string; html: string } {
  const second = otherwise ? `${otherwise.before}\n\n${otherwise.link}\n\n` : ''
  const greeting = greetingOf(name)
  const text = `${greeting}\n\n${before}\n\n${link}\n\n${second}${after}\n\nDaymark\n`
  const paragraph = (content: string) => `<p style="margin:0 0 20px">${content}</p>`
  const button =
    'display:inline-block;padding:10px 16px;border-radius:8px;background:#165e42;color:#fbfaf7;' +
    'font-weight:600;text-decoration:none'
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>',
    '<body style="margin:0;padding:24px;background:#fbfaf7;color:#21211b;font:16px/24px sans-serif">',
    paragraph(escaped(greeting)),
    paragraph(escaped(before)),
    paragraph(`<a href="${escaped(link)}" style="${button}">${escaped(label)}</a>`),
    ...(otherwise
      ? [
          paragraph(
            `${escaped(otherwise.before)} <a href="${escaped(otherwise.link)}" style="color:#165e42">${escaped(otherwise.label)}</a>`,
          ),
        ]
      : []),
    paragraph(escaped(after)),
    '<p style="margin:0;color:#686860">Daymark</p></body></html>',
  ].join('\n')
  return { text, html }
}

/** Leaves out a name that mail programs would turn into a link, since the mail goes to whatever address was typed. */
function greetingOf(name: string): string {
  return /\.\p{L}{2}/u.test(name) ? 'Hello,' : `Hello ${name},`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
