// The shapes of an icon of `lucide-react` as one path: a list of twenty rows has some three hundred elements less to make, to style
// and to paint. Drawn by src/platform/ui/signs/draw-icon.tsx, which also stands in the package's own place.
import { fileURLToPath, pathToFileURL } from 'node:url'

const drawIcon = fileURLToPath(new URL('../../src/platform/ui/signs/draw-icon.tsx', import.meta.url))

/** @typedef {readonly [tag: string, attributes: Readonly<Record<string, string>>]} Shape as the package keeps it */

/** @returns {import('vite').Plugin} */
export function iconsAsPaths() {
  return {
    name: 'daymark:icons-as-paths',
    apply: 'build',
    load: {
      filter: { id: /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
      async handler(id) {
        const { __iconData } = await import(pathToFileURL(id).href)
        // A file of a former name only leads to the other.
        if (!__iconData) return null
        const { size, node } = __iconData
        return `import drawnBy from ${JSON.stringify(drawIcon)}
export default /* @__PURE__ */ drawnBy(${JSON.stringify({ size, node: joined(node) })})`
      },
    },
  }
}

/**
 * What looks the same in as few shapes as possible. A shape that is drawn in a way of its own, such as filled, stays alone.
 * @param {readonly Shape[]} shapes
 * @returns {Shape[]}
 */
export function joined(shapes) {
  const paths = shapes.map(pathOf)
  const alone = shapes.filter((_shape, place) => paths[place] === undefined)
  const d = paths.filter((path) => path !== undefined).join('')
  return d === '' ? alone : [['path', { d, key: 'joined' }], ...alone]
}

/** The attributes of each shape that say where its line runs. */
const geometry = {
  path: ['d'],
  line: ['x1', 'y1', 'x2', 'y2'],
  rect: ['x', 'y', 'width', 'height', 'rx', 'ry'],
  circle: ['cx', 'cy', 'r'],
  ellipse: ['cx', 'cy', 'rx', 'ry'],
  polyline: ['points'],
  polygon: ['points'],
}

/**
 * @param {Shape} shape
 * @returns {string | undefined} which starts at a point of its own, so that it can stand after another
 */
function pathOf([tag, { key: _key, ...attributes }]) {
  const known = Object.entries(geometry).find(([name]) => name === tag)?.[1]
  if (!known || Object.keys(attributes).some((name) => !known.includes(name))) return undefined
  const { d = '', points = '' } = attributes
  const number = (/** @type {string} */ name) => Number(attributes[name] ?? 0)
  if (tag === 'path') return startingAbsolutely(d)
  if (tag === 'line') return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`
  if (tag === 'polyline') return `M${points}`
  if (tag === 'polygon') return `M${points}z`
  if (tag === 'circle') return ellipse(number('cx'), number('cy'), number('r'), number('r'))
  if (tag === 'ellipse') return ellipse(number('cx'), number('cy'), number('rx'), number('ry'))
  const [width, height] = [number('width'), number('height')]
  // One of the two stands for both.
  const rx = Math.min(Number(attributes.rx ?? attributes.ry ?? 0), width / 2)
  const ry = Math.min(Number(attributes.ry ?? attributes.rx ?? 0), height / 2)
  const corner = (/** @type {number} */ x, /** @type {number} */ y) =>
    rx && ry ? `a${rx} ${ry} 0 0 1 ${x} ${y}` : ''
  return `M${number('x') + rx} ${number('y')}h${width - 2 * rx}${corner(rx, ry)}v${height - 2 * ry}${corner(-rx, ry)}h${2 * rx - width}${corner(-rx, -ry)}v${2 * ry - height}${corner(rx, -ry)}z`
}

/**
 * The first point of a path is absolute even after `m`, but not where another path stands before it.
 * @param {string} d
 */
function startingAbsolutely(d) {
  const [start, x, y] = d.match(/^m\s*(-?(?:\d*\.)?\d+)[\s,]*(-?(?:\d*\.)?\d+)/) ?? []
  if (start === undefined) return d
  const rest = d.slice(start.length).trimStart()
  // What follows without a letter of its own is a line to a point as relative as the first was said to be.
  return `M${x} ${y}${/^[a-z]/i.test(rest) || rest === '' ? '' : 'l'}${rest}`
}

/**
 * @param {number} cx
 * @param {number} cy
 * @param {number} rx
 * @param {number} ry
 */
function ellipse(cx, cy, rx, ry) {
  return `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`
}
