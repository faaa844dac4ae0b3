// The walls of the house (docs/architecture.md): who may take what from whom. scripts/checks/check-walls.mjs holds them.
import { rooms } from './scripts/checks/rooms.mjs'

/**
 * @param {'web' | 'server'} side
 * @param {(folder: string) => boolean} isMeant which folders of the table
 * @returns {string[]} the rooms that are all of that side, from `src/` on
 */
const roomsOf = (side, isMeant) =>
  Object.entries(rooms)
    .filter(([folder]) => isMeant(folder))
    .flatMap(([folder, within]) => {
      const names = Object.keys(within).filter((name) => within[name] === side && name !== '.')
      return names.map((name) => `${folder.slice('src/'.length)}/${name}/`)
    })
const ofFeatures = (/** @type {string} */ folder) => folder.startsWith('src/features')
const ofTheRest = (/** @type {string} */ folder) => folder === 'src/platform' || folder === 'src/app'

const webFeature = ['features/.+/web/', ...roomsOf('web', ofFeatures)].join('|')
const serverFeature = ['features/.+/(server|migrations)/', ...roomsOf('server', ofFeatures)].join('|')
export const tests = '(\\.test\\.tsx?$|/testing/)'
const schemasAndRules = `^src/(?!${webFeature}|${serverFeature})(?!.*/testing/)features/`
// Rules say what they found in words, and those are the same everywhere.
const ground = '^src/platform/((calendar|language|wire|order|search)/|format/(words|format-number)\\.ts$)'
const worker = '^src/app/service-worker\\.ts$'
const webOfApp = 'app/(web\\.tsx|(screens|service-worker|router|prerendered-landing)(\\.test)?\\.ts)$'
export const web = `^src/(${[webFeature, ...roomsOf('web', ofTheRest), webOfApp].join('|')})`
const server = `^src/(${[serverFeature, ...roomsOf('server', ofTheRest)].join('|')}|(?!${webOfApp})app/[^/]+\\.ts$)`
const putsTogether = '^src/platform/database/migrations/migrations\\.ts$'
const zod = '(^|/)node_modules/zod/'
const order = '(^|/)node_modules/fractional-indexing/'
const sql = '((^|/)node_modules/(kysely|pg)/|^(node:)?sqlite$)'

/** What a folder's own files are found by, or those of one of its rooms. */
const place = (/** @type {string} */ folder, /** @type {string} */ room) =>
  room === '.' ? `^${folder}/((server|web)/.+|[^/]+)$` : `^${folder}/${room}/`

const floors = Object.entries(rooms).flatMap(([folder, within]) => {
  const names = [...Object.keys(within), ...('.' in within ? [] : ['.'])]
  return names.slice(0, -1).map((room, floor) => ({
    name: 'a-room-uses-only-rooms-below-it',
    severity: /** @type {const} */ ('error'),
    from: { path: place(folder, room), pathNot: [tests, putsTogether] },
    to: { path: names.slice(floor + 1).map((above) => place(folder, above)) },
  }))
})

/** @type {import('dependency-cruiser').IFlattenedRuleSet} */
export const walls = {
  forbidden: [
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: putsTogether },
      to: { path: '^src/(features|app)/' },
    },
    {
      // Each feature owns its migrations; the order of the steps is one for all.
      name: 'migrations-are-only-put-together',
      severity: 'error',
      from: { path: putsTogether },
      to: { pathNot: ['/migrations/', '^src/platform/database/schema/migration-step\\.ts$'] },
    },
    {
      // What they use would change after databases had run them.
      name: 'a-migration-uses-nothing-that-changes',
      severity: 'error',
      from: { path: '/migrations/[0-9]', pathNot: tests },
      to: { pathNot: ['/migrations/', '^src/platform/database/schema/', '(^|/)node_modules/kysely/'] },
    },
    {
      name: 'features-know-no-app',
      severity: 'error',
      from: { path: '^src/features/' },
      to: { path: '^src/app/' },
    },
    {
      name: 'a-feature-stays-out-of-anothers-server-and-web',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: `^src/(${webFeature}|${serverFeature})`, pathNot: '^src/features/$1/' },
    },
    {
      name: 'web-takes-only-types-from-server',
      severity: 'error',
      from: { path: web },
      to: { path: server, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-takes-nothing-from-web',
      severity: 'error',
      from: { path: server },
      to: { path: web },
    },
    {
      name: 'schemas-and-rules-stand-alone',
      severity: 'error',
      from: { path: schemasAndRules, pathNot: tests },
      to: { pathNot: [zod, schemasAndRules, ground] },
    },
    {
      // Its methods are twice the weight of the functions, and compile what they check, which no page of ours allows.
      name: 'zod-in-its-small-form',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: 'zod/(index|v4/(index|classic/))' },
    },
    {
      name: 'the-ground-stands-alone',
      severity: 'error',
      from: { path: ground, pathNot: tests },
      to: { pathNot: [zod, order, ground] },
    },
    {
      // Both sides write the same times and numbers, in mails as on screens.
      name: 'formats-stand-alone',
      severity: 'error',
      from: { path: '^src/platform/format/', pathNot: tests },
      to: { pathNot: ['^src/platform/format/', ground, '(^|/)node_modules/bowser/'] },
    },
    {
      name: 'the-browser-draws-nothing',
      severity: 'error',
      from: { path: '^src/platform/browser/', pathNot: tests },
      to: { path: '^src/platform/(ui|sync)/' },
    },
    {
      // `npm run deploy` leaves them out.
      name: 'the-server-needs-no-development-package',
      severity: 'error',
      from: { path: '^src/', pathNot: [web, tests, '^src/app/demo/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      // Some 40 KB, which a browser would start anew for each reminder.
      name: 'the-service-worker-stays-small',
      severity: 'error',
      from: { path: worker },
      to: { path: zod, reachable: true },
    },
    {
      name: 'sql-stays-on-the-server',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          `^src/(${serverFeature})`,
          '^src/platform/database/',
          '^src/platform/(alarms|http/guards|push)/',
          tests,
        ],
      },
      to: { path: sql },
    },
    {
      // What a call takes and answers is one thing, what it does to the rows another.
      name: 'routes-know-no-sql',
      severity: 'error',
      from: { path: '^src/.*-routes\\.ts$' },
      to: { path: sql },
    },
    ...floors,
    {
      // What is asked over HTTP names the user, in every store.
      name: 'only-the-operator-lists-people',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/app/admin/', tests] },
      to: { path: '/admin-store\\.ts$' },
    },
    {
      name: 'only-tests-know-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: [tests, '^(scripts|testing|e2e)/'] },
    },
    {
      // Of types as well: whoever wants to understand one file of a circle has to read them all.
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      // What leads nowhere would slip past every wall above.
      name: 'every-import-leads-somewhere',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
}
