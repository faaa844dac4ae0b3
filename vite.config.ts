import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const port = Number(process.env.PORT ?? 3000)

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: { outDir: 'dist/web', target: 'es2023' },
  server: {
    port,
    strictPort: true,
    // The server compares Origin with Host, so the proxy hands the browser's own Host on (as a bare
    // string, this option would replace it). scripts/dev.mjs starts the API one port further.
    proxy: { '/api': { target: `http://127.0.0.1:${port + 1}`, changeOrigin: false } },
  },
})
