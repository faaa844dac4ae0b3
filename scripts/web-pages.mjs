// Makes ready at the build what a browser would otherwise learn from a script: landing.html holds the landing page as
// the app would draw it, and screens/<address>.html is index.html with all the scripts of that screen named ahead.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'

const aheadMark = '<!-- the scripts of the screen -->'
const routeFile = /\/src\/app\/routes\/[\w-]+\.tsx?$/

/**
 * @typedef {import('vite').Rolldown.OutputBundle} Bundle
 * @typedef {import('vite').Rolldown.PluginContext} Build
 */

/** @returns {import('vite').Plugin} */
export function webPages() {
  /** @type {string} */
  let publicFolder
  return {
    name: 'daymark:web-pages',
    apply: 'build',
    enforce: 'post',
    configResolved({ publicDir }) {
      publicFolder = publicDir
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { filename }) {
        if (!filename.endsWith('/landing.html')) return html
        return put(html, '<!-- the landing page -->', await landingMarkup())
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const keep = (/** @type {string} */ html) => withKeptScripts(this, html, publicFolder)
        const shell = sourceOf(bundle, 'index.html')
        /** @type {Record<string, string[]>} */
        const screens = {}
        /** @type {Set<string>} */
        const needAccount = new Set()
        for (const id of this.getModuleIds()) {
          const address = routeFile.test(id) ? addressOf(this, id) : undefined
          if (!address) continue
          screens[address] = scriptsOf(bundle, screenModules(this, id))
          if (this.getModuleInfo(id)?.importedIds.some((above) => above.endsWith('/signed-in.ts'))) {
            needAccount.add(address)
          }
        }
        for (const [address, scripts] of Object.entries(screens)) {
          const ahead = scripts.filter((file) => !shell.includes(file)).map(modulePreload)
          if (needAccount.has(address)) ahead.unshift('<script async src="/session.js"></script>')
          const source = keep(put(shell, aheadMark, ahead.join('\n    ')))
          this.emitFile({ type: 'asset', fileName: `screens${address}.html`, source })
        }
        // Where the landing page leads. In a template they wait until somebody is about to go there.
        const next = [
          ...scriptsNamedIn(shell),
          ...(screens['/sign-up'] ?? []),
          ...(screens['/sign-in'] ?? []),
        ]
        const links = [...new Set(next)].map(modulePreload).join('')
        const landing = put(
          sourceOf(bundle, 'landing.html'),
          '<!-- the scripts of the next screen -->',
          links,
        )
        replace(bundle, 'index.html', keep(put(shell, aheadMark, '')))
        replace(bundle, 'landing.html', keep(landing))
      },
    },
  }
}

/** @returns {Promise<string>} */
async function landingMarkup() {
  const { module } = await runnerImport('./src/app/shell/landing-markup.tsx', {
    configFile: false,
    logLevel: 'warn',
  })
  return module.landingMarkup()
}

/**
 * @param {string} html
 * @param {string} mark
 * @param {string} what
 */
function put(html, mark, what) {
  if (!html.includes(mark)) throw new Error(`The page has no ${mark}`)
  return html.replace(mark, () => what)
}

/**
 * @param {Bundle} bundle
 * @param {string} page
 */
function sourceOf(bundle, page) {
  const asset = bundle[page]
  if (asset?.type !== 'asset') throw new Error(`${page} was not built`)
  return String(asset.source)
}

/**
 * @param {Bundle} bundle
 * @param {string} page
 * @param {string} source
 */
function replace(bundle, page, source) {
  const asset = bundle[page]
  if (asset?.type === 'asset') asset.source = source
}

/**
 * The small scripts of public/ stop the first paint. With a hash of their content in the name a browser keeps them for
 * ever, instead of asking each time whether they are still the same.
 * @param {Build} build
 * @param {string} html
 * @param {string} folder
 */
function withKeptScripts(build, html, folder) {
  return html.replace(/(<script (?:async )?src=")\/([\w-]+\.js)"/g, (_all, before, name) => {
    const source = readFileSync(join(folder, name))
    return `${before}/${build.getFileName(build.emitFile({ type: 'asset', name, source }))}"`
  })
}

/**
 * @param {Build} build
 * @param {string} route the file of a route
 * @returns {string | undefined} such as '/todos'
 */
function addressOf(build, route) {
  return /\bpath: ?["'`](\/[\w-]+)["'`]/.exec(build.getModuleInfo(route)?.code ?? '')?.[1]
}

/**
 * The modules that a route and the routes above it fetch when they are gone to.
 * @param {Build} build
 * @param {string} route
 * @returns {string[]}
 */
function screenModules(build, route) {
  const info = build.getModuleInfo(route)
  if (!info) return []
  const above = info.importedIds.filter((id) => routeFile.test(id))
  return [...info.dynamicallyImportedIds, ...above.flatMap((id) => screenModules(build, id))]
}

/**
 * @param {Bundle} bundle
 * @param {string[]} modules
 * @returns {string[]} the files in which they and all that they import are
 */
function scriptsOf(bundle, modules) {
  /** @type {Set<string>} */
  const files = new Set()
  const take = (/** @type {string} */ file) => {
    const chunk = bundle[file]
    if (chunk?.type !== 'chunk' || files.has(file)) return
    files.add(file)
    chunk.imports.forEach(take)
  }
  for (const chunk of Object.values(bundle)) {
    if (chunk.type === 'chunk' && modules.some((id) => chunk.moduleIds.includes(id))) take(chunk.fileName)
  }
  return [...files]
}

/** @param {string} html */
function scriptsNamedIn(html) {
  return [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].flatMap(([, file]) => file ?? [])
}

/** @param {string} file */
function modulePreload(file) {
  return `<link rel="modulepreload" crossorigin href="/${file}">`
}
