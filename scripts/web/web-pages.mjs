// Makes ready at the build what a browser would otherwise learn from a script: landing.html holds the landing page as
// the app would draw it, and screens/<address>.html is index.html with all the scripts of the screens there named ahead. Which
// those are, src/app/screens.ts says.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRunnableDevEnvironment, minifySync, resolveConfig } from 'vite'
import { createNodeImportMeta, ModuleRunner } from 'vite/module-runner'

const aheadMark = '<!-- the scripts of the screen -->'
const emptyRoot = '<div id="root"></div>'

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
      async handler(_options, bundle) {
        const keep = (/** @type {string} */ html) => withKeptScripts(this, html, publicFolder)
        const shell = sourceOf(bundle, 'index.html')
        const [pages, loading] = await Promise.all([screenPages(), loadingMarkup()])
        const scriptsAt = (/** @type {string} */ name) =>
          scriptsOf(
            bundle,
            (pages.get(name)?.parts ?? []).map((part) => moduleOf(this, part)),
          )
        for (const [name, { earlyReads }] of pages) {
          const ahead = scriptsAt(name)
            .filter((file) => !shell.includes(file))
            .map(moduleScript)
          const page = put(shell, aheadMark, ahead.join('\n    '))
          const source = keep(
            earlyReads
              ? askingAhead(put(page, emptyRoot, `<div id="root">${loading}</div>`), earlyReads)
              : page,
          )
          this.emitFile({ type: 'asset', fileName: `screens/${name}.html`, source })
        }
        // Where the landing page leads. In a template they wait until somebody is about to go there.
        const next = [...scriptsNamedIn(shell), ...scriptsAt('sign-up'), ...scriptsAt('sign-in')]
        const links = [...new Set(next)].map(modulePreload).join('')
        const landing = put(
          namingImports(bundle, sourceOf(bundle, 'landing.html')),
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
  const { landingMarkup } = await run('./src/app/shell/landing/landing-markup.tsx')
  return landingMarkup()
}

/** @returns {Promise<string>} */
async function loadingMarkup() {
  const { loadingMarkup } = await run('./src/app/shell/frame/loading-markup.tsx')
  return loadingMarkup()
}

/**
 * @typedef {object} ScreenPage of an address, or of those below it that differ in an id
 * @property {string[] | undefined} earlyReads where it needs an account: the addresses of what it shows first
 * @property {string[]} parts the names of the parts that draw what is there
 *
 * @returns {Promise<Map<string, ScreenPage>>} by their addresses without ids, such as 'todos.completed'
 */
async function screenPages() {
  const [{ screensOpenToAll, signedInScreens }, { frameRoute }, { pathsOfReads }] = await Promise.all([
    run('./src/app/screens.ts'),
    run('./src/app/routes/screen.ts'),
    run('./src/app/shell/signed-in/paths-of-reads.ts'),
  ])
  /** @type {Map<string, ScreenPage>} */
  const pages = new Map()
  const add = (/** @type {any} */ { options }, needsAccount = false) => {
    const words = /** @type {string[]} */ (options.path.split('/'))
    const name = words.filter((word) => word !== '' && !word.startsWith('$')).join('.')
    // The landing page has one of its own.
    if (name === '') return
    const around = needsAccount ? [frameRoute.options.component.displayName] : []
    const earlyReads = needsAccount ? pathsOfReads(options.staticData.reads) : undefined
    const page = pages.get(name) ?? { earlyReads, parts: around }
    page.parts.push(options.component.displayName)
    pages.set(name, page)
  }
  for (const screen of screensOpenToAll) add(screen)
  for (const screen of signedInScreens) add(screen, true)
  return pages
}

/**
 * Imports a module of the web into this process. As Vite's own `runnerImport` does, which gives up after 60 s of waiting
 * for a module: too soon for a slow or busy machine.
 * @param {string} source
 */
async function run(source) {
  const config = await resolveConfig(
    {
      configFile: false,
      envDir: false,
      logLevel: 'warn',
      cacheDir: process.cwd(),
      environments: {
        pages: {
          consumer: 'server',
          dev: { moduleRunnerTransform: true },
          resolve: { external: true, mainFields: [], conditions: ['node', 'module-sync'] },
        },
      },
    },
    'serve',
  )
  const environment = createRunnableDevEnvironment('pages', config, {
    hot: false,
    runner: runnerWithoutLimit,
  })
  await environment.init()
  try {
    return await environment.runner.import(source)
  } finally {
    await environment.close()
  }
}

/**
 * The limit belongs to sending a message and waiting for its reply. A call has none.
 * @param {import('vite').DevEnvironment} environment
 */
function runnerWithoutLimit({ hot }) {
  return new ModuleRunner({
    transport: { invoke: (call) => hot.handleInvoke(call) },
    hmr: false,
    createImportMeta: createNodeImportMeta,
  })
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
 * The page names what its scripts import, so that it comes with them.
 * @param {Bundle} bundle
 * @param {string} html
 */
function namingImports(bundle, html) {
  const imported = scriptsNamedIn(html).flatMap((file) => {
    const chunk = bundle[file]
    return chunk?.type === 'chunk' ? chunk.imports : []
  })
  const links = imported.filter((file) => !html.includes(file)).map(modulePreload)
  return put(html, '</head>', `${links.join('')}</head>`)
}

/**
 * The page asks for the session and for these with its first script.
 * @param {string} html
 * @param {string[]} reads
 */
function askingAhead(html, reads) {
  const mark = '<script src="/theme.js"'
  return put(html, mark, `<script src="/theme.js+session.js" data-reads="${reads.join(' ')}"`)
}

/**
 * The small scripts of public/ stop the first paint. With a hash of their content in the name a browser keeps them for
 * ever, instead of asking each time whether they are still the same. Names that a + joins become one file, for one round trip.
 * @param {Build} build
 * @param {string} html
 * @param {string} folder
 */
function withKeptScripts(build, html, folder) {
  return html.replace(/(<script src=")\/([\w-]+\.js(?:\+[\w-]+\.js)*)"/g, (_all, before, joined) => {
    const names = /** @type {string[]} */ (joined.split('+'))
    const name = names.at(-1) ?? joined
    const texts = names.map((each) => readFileSync(join(folder, each), 'utf8'))
    const source = minifySync(name, texts.join('\n')).code
    return `${before}/${build.getFileName(build.emitFile({ type: 'asset', name, source }))}"`
  })
}

/**
 * @param {Build} build
 * @param {string} part what `lazyPart` is told that a module exports
 * @returns {string} that module
 */
function moduleOf(build, part) {
  const found = [...build.getModuleIds()].filter((id) => {
    const info = build.getModuleInfo(id)
    return info?.exports.includes(part) && info.dynamicImporters.length > 0
  })
  const [module] = found
  if (!module || found.length > 1) throw new Error(`${part} has to be exported by one lazy module: ${found}`)
  return module
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

/**
 * Not a preload: browsers compile a script of the page while it arrives, what is preloaded when it is first imported.
 * @param {string} file
 */
function moduleScript(file) {
  return `<script type="module" crossorigin src="/${file}"></script>`
}

/** @param {string} file */
function modulePreload(file) {
  return `<link rel="modulepreload" crossorigin href="/${file}">`
}
