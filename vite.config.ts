import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

const port = Number(process.env.PORT ?? 3000)

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/app',
      filename: 'service-worker.ts',
      // Nothing is kept for later by it yet: it only shows what is pushed.
      injectManifest: { injectionPoint: undefined, rollupFormat: 'iife' },
      manifest: false,
      // src/features/reminders/web/this-browser.ts does, for those who are reminded.
      injectRegister: false,
      devOptions: { enabled: true, type: 'module' },
      // What is built by itself knows nothing of --logLevel.
      integration: {
        configureCustomSWViteBuild(build) {
          build.logLevel = 'warn'
        },
      },
    }),
  ],
  build: { outDir: 'dist/web', target: 'es2023' },
  server: {
    port,
    strictPort: true,
    // The server compares Origin with Host, so the proxy hands the browser's own Host on (as a bare
    // string, this option would replace it). scripts/dev.mjs starts the API one port further.
    proxy: { '/api': { target: `http://127.0.0.1:${port + 1}`, changeOrigin: false } },
  },
})
