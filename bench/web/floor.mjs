// The floor that the times of the screens stand beside: a page with one script of 141 KB that fetches the list of tasks
// and draws the first 20 rows of it, from the same server, in the same browser. Nothing that shows a list can be usable much sooner.
import { randomBytes } from 'node:crypto'
import { createServer, request } from 'node:http'
import { base } from './slow-browser.mjs'

/** Bytes of the script as sent: what the to-do screen was sent on 22 November 2026. */
const scriptSize = 141 * 1024

const page =
  '<!doctype html><meta charset="utf-8"><title>Floor</title><body><script src="/floor.js"></script>'

/** Runs in the page. The rows are found by what makes a screen usable (slow-browser.mjs). */
async function draw() {
  const { todos } = await (await fetch('/api/todos', { cache: 'no-store' })).json()
  const list = document.createElement('ul')
  for (const { title } of todos.slice(0, 20)) {
    const row = document.createElement('li')
    row.dataset.row = ''
    const box = document.createElement('input')
    box.type = 'checkbox'
    const text = document.createElement('span')
    text.dataset.title = ''
    text.textContent = title
    row.append(box, text)
    list.append(row)
  }
  document.body.append(list)
}

/**
 * Serves the page until `close`, on a port beside that of Daymark: cookies know no ports.
 * @returns {Promise<{ address: string, close: () => void }>}
 */
export async function floorPage() {
  const code = `${draw}\ndraw()\n//`
  // Of random letters, so that nothing can make it shorter, as nothing does what is compressed already.
  const script =
    code +
    randomBytes(scriptSize)
      .toString('base64')
      .slice(0, scriptSize - code.length)
  const server = createServer((asked, response) => {
    if (asked.url === '/floor.js') {
      response.writeHead(200, {
        'content-type': 'text/javascript',
        'cache-control': 'max-age=31536000, immutable',
      })
      response.end(script)
    } else if (asked.url === '/api/todos') {
      const { host: _host, ...headers } = asked.headers
      const list = request(`${base}/api/todos`, { headers }, (list) => {
        response.writeHead(list.statusCode ?? 502, list.headers)
        list.pipe(response)
      })
      list.on('error', () => response.destroy())
      list.end()
    } else {
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-cache' })
      response.end(page)
    }
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)))
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('the floor has no port')
  return { address: `http://localhost:${at.port}/`, close: () => server.close() }
}
