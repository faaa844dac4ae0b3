import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileHint } from './scripts/web/compile-hint.mjs'
import { compressAhead } from './scripts/web/compress-ahead.mjs'
import { forgetTheBuilt } from './scripts/web/forget-the-built.mjs'
import { iconsAsPaths } from './scripts/web/icons-as-paths.mjs'
import { serviceWorker } from './scripts/web/service-worker-build.mjs'
import { webPages } from './scripts/web/web-pages.mjs'

const port = Number(process.env.PORT ?? 3000)

export default defineConfig({
  resolve: {
    alias: {
      // React itself has had it since 18; the package would bring it along for earlier ones.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  plugins: [
    react(),
    tailwindcss(),
    iconsAsPaths(),
    compileHint(),
    webPages(),
    forgetTheBuilt(),
    serviceWorker(),
    // After all that writes files.
    compressAhead(),
  ],
  // The worker of imports asks for its requests when the file is read.
  worker: { format: 'es' },
  build: {
    outDir: 'dist/web',
    target: 'es2023',
    // The page of a screen names all that it needs (scripts/web/web-pages.mjs). Parts come later: a part of several files then takes one more
    // round trip, which costs less than the code that would look them up ahead on every first screen.
    modulePreload: false,
    rolldownOptions: {
      input: ['index.html', 'landing.html'],
      // What only reads a property, and makes nothing of it, can go: nothing here does anything when it is read.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // Each file costs a slow connection a round trip and a slow processor its asking, and compresses the worse the smaller it
        // is. So what every screen needs comes in one: packages, the start of the app, and the frame of the signed-in screens
        // with the first of them. What is fetched once they are there comes in a few more. A group takes with it all that its
        // modules import.
        codeSplitting: {
          groups: [
            // All that the landing page shares with the app: it must not be sent the rest of a group for it.
            {
              name: 'landing',
              priority: 8,
              test: /\/(stored-account\.ts|ui\/layout\/styles\.css)$|vite\/preload-helper/,
            },
            {
              name: 'frame',
              priority: 5,
              // A late part of the frame and the settings share the last of our own. The words of zod come with the import of a
              // file, which alone tells them; queries in pieces, with the page of completed tasks.
              test: /\/src\/(app\/(web|shell\/(signed-in\/signed-in|screens\/todos))\.tsx|features\/reminders\/devices\/web\/reminders-key\.ts)$|\/node_modules\/(react|react-dom|scheduler|@tanstack(?!.*\/(useInfiniteQuery|infiniteQueryObserver)\.js$|\/virtual-core)|use-sync-external-store|zod(?!\/v4\/locales)|idb|clsx)\//,
            },
            // The grammar, for the field and for the palette.
            {
              name: 'quick-add',
              priority: 4,
              test: /\/src\/features\/todos\/quick-add\/reading\/read-quick-add\.ts$/,
            },
            // What the parts below share with screens that have no need of them. Each screen is sent all of a group of which it needs
            // one module, so these come first, and hold what is small or needed together.
            {
              name: 'controls',
              priority: 3,
              test: /\/src\/features\/todos\/todo\/web\/title-problem\.tsx$|\/src\/platform\/(ui\/controls\/(input|field|segments|select)\.tsx|format\/format-day\.ts|browser\/device\/(start-page|by-touch|number-order)\.ts)$/,
            },
            { name: 'icons', priority: 3, test: /\/node_modules\/lucide-react\// },
            {
              name: 'row-search',
              priority: 3,
              test: /\/src\/(platform\/(search\/(match|row-search)|ui\/search\/(search-shortcuts|search-dialog-shortcuts))|features\/(todos\/todo\/todo-search|habits\/habit\/web\/habit-search))\.ts$/,
            },
            {
              name: 'list-actions',
              priority: 3,
              test: /\/src\/features\/lists\/(list\/web\/(use-list-actions|make-list)\.ts|menu\/list-menu-button\.tsx)$/,
            },
            // Before the layers, which need it: charts need no more of them than this.
            { name: 'tips', priority: 3.5, test: /\/node_modules\/@radix-ui\/react-tooltip\// },
            {
              name: 'layers',
              priority: 3,
              test: /\/node_modules\/(@radix-ui\/react-(dialog|dropdown-menu|popover))\/|\/src\/platform\/ui\/overlays\/(dialog|dropdown-menu|popover)\.tsx$/,
            },
            {
              name: 'dates',
              priority: 3,
              test: /\/src\/platform\/(ui\/dates\/(time-field|date-shortcuts)|language\/english)\.tsx?$/,
            },
            {
              name: 'charts',
              priority: 3,
              test: /\/src\/platform\/(ui\/(charts\/(year|hidden|step)-|overlays\/day-tip)|calendar\/year-of-days)/,
            },
            // Before the rules: what is shown of the sessions elsewhere needs no more than these.
            {
              name: 'focus-sessions',
              priority: 3.5,
              test: /\/src\/features\/focus\/sessions\/(focus-session-collection|web\/focus-queries)\.ts$/,
            },
            {
              name: 'focus-rules',
              priority: 3,
              test: /\/src\/features\/focus\/((subjects|plan|sessions|timer)\/[^/]+|timer\/web\/phase-words|phase-end\/notification)\.ts$/,
            },
            {
              name: 'habit-rules',
              priority: 3,
              test: /\/src\/features\/habits\/((account-file|amounts|habit|past|pauses|reminder|rhythm|strength)\/[^/]+|rhythm\/web\/(rhythm-words|target-words)|reminder\/web\/format-reminder)\.ts$/,
            },
            // What was queued is sent from every screen.
            {
              name: 'habit-writes',
              priority: 2.5,
              test: /\/src\/features\/(habits\/(habit\/web\/habit-queries|pauses\/web\/pause-queries)|todos\/tags\/web\/tag-writes)\.ts$/,
            },
            {
              name: 'habit-days',
              priority: 3,
              test: /\/src\/features\/habits\/(days\/web\/(day-looks|day-strip|day-legend|part-fill|use-hold)|habit\/web\/habit-shortcuts|reminder\/web\/reminder-field)\.tsx?$/,
            },
            {
              name: 'today',
              priority: 3,
              test: /\/src\/app\/shell\/screens\/today\.tsx$/,
            },
            // What the parts of a list share with those of every screen, for which they must not wait.
            {
              name: 'late-parts',
              priority: 2.5,
              test: /\/src\/platform\/(ui\/overlays\/fetched-menu\.tsx|sync\/(react\/use-kept-while-edited|account\/unsent-writes)\.ts|browser\/keyboard\/screen-keyboard\.ts)$|\/src\/features\/todos\/quick-add\/field\/draft-task\.ts$/,
            },
            // What the sync needs on no first screen, in one file, because it is fetched with every screen.
            {
              name: 'late-sync',
              priority: 2.5,
              test: /\/src\/platform\/sync\/(collections\/changed-rows|local-store\/late-store)\.ts$/,
            },
            // What is fetched with every screen, with every list of tasks and with the habits. As a hundred files of 1 KB each, it
            // kept a slow line and the browser busy for longer than the screen itself did.
            {
              name: 'shell-parts',
              priority: 2,
              test: /\/src\/(app\/shell\/(shortcuts\/go-keys|signed-in\/(typing-guard|keep-preferences)|sidebar\/(sidebar-lists|today-count)|sync-status\/(sync-status|what-waits)|frame\/(top-bar-buttons|phone-bars|subject-name))|features\/(account\/(profile\/web\/user-menu-items|session\/web\/unsent-question)|focus\/running\/(running-timer|sidebar-time)|preferences\/web\/report-browser-zone|reminders\/devices\/web\/device-reminders)|platform\/(ui\/signs\/beacon|sync\/(live\/account-live-updates|outbox\/sender)|ui\/rows\/glide))\.tsx?$/,
            },
            {
              name: 'task-parts',
              priority: 1,
              test: /\/src\/features\/todos\/(row\/row-(buttons|keys|swipes)|board\/(board-tools|sort-choice|sort-menu|todo-search-field|row-menu)|dates\/web\/(due-picker|date-all)|repeat\/picker\/repeat-dialog)\.tsx$/,
            },
            {
              name: 'habit-parts',
              priority: 0,
              test: /\/src\/features\/habits\/(pages\/habit-search-field|card\/habit-card|editing\/(habit-dialog|pause-dialog)|days\/web\/day-editor)\.tsx$/,
            },
          ],
        },
      },
    },
  },
  server: {
    port,
    strictPort: true,
    // The server compares Origin with Host, so the proxy hands the browser's own Host on (as a bare
    // string, this option would replace it). scripts/web/dev.mjs starts the API one port further.
    proxy: { '/api': { target: `http://127.0.0.1:${port + 1}`, changeOrigin: false } },
  },
})
