import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Says why nothing is deployed to that folder; undefined if it can be.
 *
 * @param {string | undefined} folder
 */
export function whyNotTo(folder) {
  if (folder === undefined) return 'Say where to: npm run deploy -- /opt/daymark'
  const there = existsSync(folder) ? readdirSync(folder) : []
  if (there.length === 0) return undefined
  if (there.includes('package-lock.json'))
    return `${folder} is a checkout of sources; name a folder of its own.`
  const manifest = join(folder, 'package.json')
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'daymark') return undefined
  return `${folder} holds something else; name a folder that is new, empty, or was deployed to before.`
}
