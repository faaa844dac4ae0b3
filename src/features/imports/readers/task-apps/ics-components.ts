/** A line such as 'DUE;VALUE=DATE:20261203'. `name` is in upper case. */
export interface IcsProperty {
  name: string
  parameters: ReadonlyMap<string, string>
  /** The value as in the file, with escapes such as \n in texts. */
  value: string
}

/** The content between BEGIN and END. `line` is the line of BEGIN, from 1. */
export interface IcsComponent {
  name: string
  line: number
  properties: IcsProperty[]
  components: IcsComponent[]
  /** Whether the file ended inside the component. */
  isCut: boolean
}

/** The components of a file (RFC 5545). Lines that are no properties are ignored. */
export function icsComponents(text: string): IcsComponent[] {
  const root: IcsComponent = { name: '', line: 0, properties: [], components: [], isCut: false }
  const open = [root]
  for (const { content, line } of unfolded(text)) {
    const property = propertyOf(content)
    const current = open.at(-1)
    if (!property || !current) continue
    if (property.name === 'BEGIN') {
      const name = property.value.trim().toUpperCase()
      const component = { name, line, properties: [], components: [], isCut: false }
      current.components.push(component)
      open.push(component)
    } else if (property.name === 'END') {
      const name = property.value.trim().toUpperCase()
      const place = open.findLastIndex((each) => each.name === name)
      if (place > 0) open.length = place
    } else current.properties.push(property)
  }
  for (const component of open.slice(1)) component.isCut = true
  return root.components
}

/** Joins lines: a line that begins with a space continues the line before it. */
function* unfolded(text: string): Generator<{ content: string; line: number }> {
  let content = ''
  let line = 0
  let number = 0
  for (const each of text.split(/\r\n|\r|\n/)) {
    number += 1
    if (/^[ \t]/.test(each)) {
      content += each.slice(1)
      continue
    }
    if (content !== '') yield { content, line }
    content = each
    line = number
  }
  if (content !== '') yield { content, line }
}

function propertyOf(content: string): IcsProperty | undefined {
  const [head, name = ''] = /^([\w-]+)/.exec(content) ?? []
  if (head === undefined) return undefined
  const parameters = new Map<string, string>()
  let place = head.length
  while (content[place] === ';') {
    const [all, parameter = '', quoted, plain] =
      /^;([\w-]+)=(?:"([^"]*)"|([^;:]*))(?:,(?:"[^"]*"|[^;:]*))*/.exec(content.slice(place)) ?? []
    if (all === undefined) return undefined
    parameters.set(parameter.toUpperCase(), quoted ?? plain ?? '')
    place += all.length
  }
  if (content[place] !== ':') return undefined
  return { name: name.toUpperCase(), parameters, value: content.slice(place + 1) }
}

/** The text in a value, without its escapes. */
export function icsText(value: string): string {
  return value.replaceAll(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign)).trim()
}

/** The texts in a comma-separated value. */
export function icsTexts(value: string): string[] {
  const parts = value.match(/(?:\\.|[^,\\])+/gs) ?? []
  return parts.map(icsText).filter((text) => text !== '')
}
