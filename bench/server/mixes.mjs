// What people do, as the requests that their devices send.
import { readAgain, requestText } from './request-text.mjs'

/**
 * `devices`: the cookies of two more devices; `byRevision`: whether the server tells a device what has changed only.
 * @typedef {import('./people.mjs').Person & { devices: readonly string[], byRevision: boolean }} Person
 */

/** Stands in a request where each time the id of a new row belongs. */
export const newRow = '00000000-0000-7000-8000-000000000000'

/**
 * The acts of each mix in their order. A person looks, ticks, looks again; a device that hears of a change reads the list that changed.
 * In 'devices' two others do, after each change; both have the list as it was.
 * @type {Record<string, readonly (keyof typeof acts)[]>}
 */
export const mixes = {
  usual: ['todos', 'tick', 'todos', 'habits', 'day', 'habits', 'create', 'todos', 'unday', 'untick'],
  reading: ['todos', 'habits', 'todos', 'lists', 'preferences', 'todos', 'habits', 'focus', 'todos', 'tick'],
  writing: ['tick', 'create', 'day', 'rename', 'untick', 'create', 'unday', 'rename'],
  devices: [
    ...onOthers('todos', ['tick', 'create', 'rename']),
    ...onOthers('habits', ['day']),
    ...onOthers('todos', ['untick', 'create', 'rename']),
    ...onOthers('habits', ['unday']),
  ],
}

const acts = {
  todos: get('/api/todos?done=recent'),
  habits: get('/api/habits'),
  lists: get('/api/lists'),
  preferences: get('/api/preferences'),
  focus: get('/api/focus?recent=true'),
  tick: (/** @type {Person} */ person) => put(person, { completed: 1 }),
  untick: (/** @type {Person} */ person) => put(person, { completed: 0 }),
  rename: (/** @type {Person} */ { cookie, todos }) =>
    requestText('PUT', `/api/todos/${todos[0]}/edit`, cookie, {
      title: 'Answer the letter of the insurance today',
    }),
  create: (/** @type {Person} */ { cookie }) =>
    requestText('POST', '/api/todos', cookie, { id: newRow, title: 'Buy bread and milk' }),
  'todos on one': onDevice(0, '/api/todos?done=recent'),
  'todos on another': onDevice(1, '/api/todos?done=recent'),
  'habits on one': onDevice(0, '/api/habits'),
  'habits on another': onDevice(1, '/api/habits'),
  day: (/** @type {Person} */ person) => complete(person, true),
  unday: (/** @type {Person} */ person) => complete(person, false),
}

/** @param {string} mix @param {Person} person @returns {string[]} */
export function requestsOf(mix, person) {
  const named = mixes[mix]
  if (!named) throw new Error(`There is no mix '${mix}': say ${Object.keys(mixes).join(', ')}.`)
  return named.map((act) => acts[act](person))
}

/**
 * Each change, and after it the reads of that list on two devices.
 * @param {'todos' | 'habits'} list
 * @param {readonly (keyof typeof acts)[]} changes
 */
function onOthers(list, changes) {
  return changes.flatMap((change) => [
    change,
    /** @type {const} */ (`${list} on one`),
    /** @type {const} */ (`${list} on another`),
  ])
}

/** @param {number} place of the device @param {string} path */
function onDevice(place, path) {
  return (/** @type {Person} */ { devices, byRevision }) => readAgain(path, devices[place] ?? '', byRevision)
}

/** @param {string} path */
function get(path) {
  return (/** @type {Person} */ { cookie }) => requestText('GET', path, cookie)
}

/** @param {Person} person @param {object} body */
function put({ cookie, todos }, body) {
  return requestText('PUT', `/api/todos/${todos[0]}`, cookie, body)
}

/** @param {Person} person @param {boolean} completed */
function complete({ cookie, habits }, completed) {
  return requestText('POST', `/api/habits/${habits[0]}/complete`, cookie, { completed })
}
