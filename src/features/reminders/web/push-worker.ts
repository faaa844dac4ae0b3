/// <reference lib="webworker" />
import { notificationTag } from '../notification-tag.ts'
import {
  type AnswerableReminder,
  doneRequest,
  hasEnded,
  laterRequest,
  type PushedReminder,
  type PushRequest,
  readPush,
  stateIn,
  statePath,
} from './pushed-reminder.ts'
import type { WordToTabs } from './word-to-tabs.ts'

/** Milliseconds: a browser ends a worker that holds on to an event for much longer. */
const patience = 20_000

/** The same, for what a person does not know that they wait for. */
const shortPatience = 3_000

const done = { action: 'done', title: 'Done' }
const later = { action: 'later', title: 'Remind me in 30 min' }

/** Shows what is pushed, and does what is pressed on it, whether a tab is open or not. */
export function showPushes(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('push', (event) => event.waitUntil(show(worker, event.data?.text())))
  worker.addEventListener('notificationclick', (event) => event.waitUntil(answer(worker, event)))
  worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(worker, event)))
}

/**
 * A push must be shown, also one that cannot be read or that is out of date by now: browsers take the permission from
 * whoever keeps silent, and to show and close at once is silent to some of them. So what is done already is said, without
 * a sound, and in the place of what asked for it.
 */
async function show(worker: ServiceWorkerGlobalScope, text: string | undefined): Promise<void> {
  const push = readPush(text)
  if (!push)
    return notify(worker, 'A reminder from Daymark', { body: 'Open Daymark to see it.', tag: 'unread' })
  const shown = { tag: tagOf(push), data: text }
  if (push.kind === 'test') return notify(worker, push.title, { ...shown, body: push.body })
  const state = await stateOf(push)
  if (state === 'signed-out') {
    // Whoever looks at this browser by now need not be the one whose title it is.
    const words = { body: 'Sign in to see it.', tag: tagOf(push) }
    return notify(worker, 'A reminder from Daymark', words)
  }
  if (state !== 'open') return notify(worker, push.title, { ...shown, body: over[state], quiet: true })
  if (push.ended && hasEnded(push, Date.now()))
    // It cannot be reminded of again, but what was done in time can still be said.
    return notify(worker, push.title, { ...shown, body: push.ended.body, actions: [done] })
  await notify(worker, push.title, { ...shown, body: push.body, actions: [done, later] })
}

const over = { done: 'Already done', gone: 'No longer exists' }

/**
 * Whether there is still something to do: the push may have waited for hours, until this browser was there. Where the
 * server does not say, there is.
 */
async function stateOf(push: AnswerableReminder): Promise<'open' | keyof typeof over | 'signed-out'> {
  try {
    const answer = await fetch(statePath(push), {
      headers: { accept: 'application/json', 'x-daymark-user': push.user },
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(shortPatience),
    })
    if (answer.status === 401) return 'signed-out'
    return (answer.ok && stateIn(push, await answer.json())) || 'open'
  } catch {
    return 'open'
  }
}

async function answer(worker: ServiceWorkerGlobalScope, { action, notification }: NotificationEvent) {
  const data: unknown = notification.data
  const text = typeof data === 'string' ? data : undefined
  const push = readPush(text)
  if (!push || push.kind === 'test' || (action !== 'done' && action !== 'later')) {
    notification.close()
    return open(worker, push?.url ?? '/todos')
  }
  const outcome = await ask(action === 'done' ? doneRequest(push) : laterRequest(push), push.user)
  if (outcome === 'done') {
    notification.close()
    return tell(worker, { daymark: 'changed', user: push.user })
  }
  // In its place, which a notification that was closed just before would not be sure of.
  await notify(worker, push.title, {
    body: unsaved[outcome],
    tag: tagOf(push),
    data: text,
    // What may well succeed the next time can be pressed again.
    actions: outcome === 'unreachable' ? (hasEnded(push, Date.now()) ? [done] : [done, later]) : [],
  })
}

const unsaved = {
  'signed-out': "Not saved: you're signed out on this device. Open Daymark to sign in.",
  gone: 'Not saved: it no longer exists.',
  over: "Already done: you won't be reminded again.",
  unreachable: "Not saved: Daymark can't be reached. Try again.",
}

/** Asks as the person who is reminded: where somebody else is signed in by now, the server refuses. */
async function ask(
  { method, path, body }: PushRequest,
  user: string,
): Promise<'done' | keyof typeof unsaved> {
  try {
    const { ok, status } = await fetch(path, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'x-daymark-user': user },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    })
    if (ok) return 'done'
    if (status === 401) return 'signed-out'
    if (status === 422) return 'over'
    return status === 404 ? 'gone' : 'unreachable'
  } catch {
    return 'unreachable'
  }
}

/** In a tab that is there already where there is one: it goes to the page by itself. */
async function open(worker: ServiceWorkerGlobalScope, url: string): Promise<void> {
  const [tab] = await tabsOf(worker)
  if (!tab) return void (await worker.clients.openWindow(url))
  tell(worker, { daymark: 'open', url }, [tab])
  await tab.focus()
}

async function tell(
  worker: ServiceWorkerGlobalScope,
  word: WordToTabs,
  tabs?: readonly WindowClient[],
): Promise<void> {
  for (const tab of tabs ?? (await tabsOf(worker))) tab.postMessage(word)
}

/** Those in use first. Some may not be controlled by this worker: whoever reloads past it is not. */
function tabsOf({ clients }: ServiceWorkerGlobalScope): Promise<readonly WindowClient[]> {
  return clients.matchAll({ type: 'window', includeUncontrolled: true })
}

/**
 * The browser gave the subscription up, or another one in its place. Whose reminders are to come here, and whether they
 * still want that, only a page knows: the next one that is opened tells the server of what it finds.
 */
async function renew(
  { registration }: ServiceWorkerGlobalScope,
  { newSubscription, oldSubscription }: PushSubscriptionChangeEvent,
): Promise<void> {
  if (newSubscription || !oldSubscription) return
  await registration.pushManager.subscribe(oldSubscription.options)
}

function tagOf(push: PushedReminder): string {
  return push.kind === 'test' ? 'test' : notificationTag(push.kind, push.id)
}

interface Words {
  body: string
  tag: string
  /** What was pushed, to be read again when it is pressed. */
  data?: string | undefined
  actions?: (typeof done)[]
  quiet?: boolean
}

function notify(
  { registration }: ServiceWorkerGlobalScope,
  title: string,
  { quiet = false, actions = [], ...words }: Words,
): Promise<void> {
  // `actions` and `renotify` are in every browser that has them, and in no list of types.
  const options: NotificationOptions & { actions: typeof actions; renotify: boolean } = {
    ...words,
    actions,
    silent: quiet,
    // What is said again is heard again.
    renotify: !quiet,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
  }
  return registration.showNotification(title, options)
}
