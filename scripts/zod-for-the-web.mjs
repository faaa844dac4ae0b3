// zod describes its schemas as JSON Schema by methods that no bundler can see are unused, a quarter of what it weighs.
// Only the server describes itself (/api/openapi.json).
const describing = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/

/** @returns {import('vite').Plugin} */
export function zodForTheWeb() {
  return {
    name: 'daymark:zod-for-the-web',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: describing },
      handler(code) {
        const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
        if (names.length === 0)
          this.error('zod has another shape: what it exports here is not found any more')
        const stubs = names.map((name) => `export const ${name} = () => leftOut`)
        const leftOut = "const leftOut = () => { throw new Error('JSON Schema is left out of the web') }"
        return { code: [leftOut, ...stubs].join('\n'), map: null }
      },
    },
  }
}
