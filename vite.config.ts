import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: { outDir: 'dist/web', target: 'es2023' },
  server: {
    port: 3000,
    strictPort: true,
    // The server compares Origin with Host, so the proxy hands the browser's own Host on (as a bare
    // string, this option would replace it).
    proxy: { '/api': { target: 'http://127.0.0.1:3001', changeOrigin: false } },
  },
})
