/// <reference lib="webworker" />
import {
  doneRequest,
  laterRequest,
  type PushedReminder,
  type PushRequest,
  readPush,
} from './pushed-reminder.ts'
import type { WordToTabs } from './word-to-tabs.ts'

/** Milliseconds: a browser ends a worker that holds on to an event for much longer. */
const patience = 20_000

const actions = [
  { action: 'done', title: 'Done' },
  { action: 'later', title: 'In 30 minutes' },
]

/** Shows what is pushed, and does what is pressed on it, whether a tab is open or not. */
export function showPushes(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('push', (event) => event.waitUntil(show(worker, readPush(event.data?.text()))))
  worker.addEventListener('notificationclick', (event) => event.waitUntil(answer(worker, event)))
  worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(worker, event)))
}

/** A push must be shown, also one that cannot be read: browsers take the permission from whoever keeps silent. */
async function show(worker: ServiceWorkerGlobalScope, push: PushedReminder | undefined): Promise<void> {
  if (!push)
    return notify(worker, 'A reminder from Daymark', { body: 'Open Daymark to see it.', tag: 'unread' })
  await notify(worker, push.title, {
    body: push.body,
    tag: tagOf(push),
    data: push,
    actions: push.kind === 'test' ? [] : actions,
  })
}

async function answer(worker: ServiceWorkerGlobalScope, { action, notification }: NotificationEvent) {
  const push: PushedReminder | undefined = notification.data ?? undefined
  if (!push || push.kind === 'test' || (action !== 'done' && action !== 'later')) {
    notification.close()
    return open(worker, push?.url ?? '/todos')
  }
  const at = new Date().toISOString()
  const outcome = await ask(action === 'done' ? doneRequest(push, at) : laterRequest(push), push.user)
  if (outcome === 'done') {
    notification.close()
    return tell(worker, { daymark: 'changed', user: push.user })
  }
  // In its place, which a notification that was closed just before would not be sure of.
  await notify(worker, push.title, {
    body: unsaved[outcome],
    tag: tagOf(push),
    data: push,
    // What may well succeed the next time can be pressed again.
    actions: outcome === 'unreachable' ? actions : [],
  })
}

const unsaved = {
  'signed-out': 'Not saved: you are signed out on this device. Open Daymark to sign in.',
  gone: 'Not saved: it is not there any more.',
  unreachable: 'Not saved: Daymark cannot be reached. Try again.',
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

/** Those in use first. None is controlled by this worker, which answers no requests. */
function tabsOf({ clients }: ServiceWorkerGlobalScope): Promise<readonly WindowClient[]> {
  return clients.matchAll({ type: 'window', includeUncontrolled: true })
}

/** The browser gave the subscription up, or another one in its place: reminders have to find the way here again. */
async function renew(worker: ServiceWorkerGlobalScope, event: PushSubscriptionChangeEvent): Promise<void> {
  const { newSubscription, oldSubscription } = event
  const subscription =
    newSubscription ??
    (oldSubscription && (await worker.registration.pushManager.subscribe(oldSubscription.options)))
  if (!subscription) return
  const { endpoint, keys } = subscription.toJSON()
  await fetch('/api/reminders/devices', {
    method: 'PUT',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ endpoint, keys }),
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  })
}

/** One to a habit or to-do: a later reminder takes the place of an earlier one, and is heard again. */
function tagOf(push: PushedReminder): string {
  return push.kind === 'test' ? 'test' : `${push.kind}-${push.id}`
}

interface Words {
  body: string
  tag: string
  data?: PushedReminder
  actions?: typeof actions
}

function notify({ registration }: ServiceWorkerGlobalScope, title: string, words: Words): Promise<void> {
  // `actions` and `renotify` are in every browser that has them, and in no list of types.
  const options: NotificationOptions & { actions?: typeof actions; renotify: boolean } = {
    ...words,
    renotify: true,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
  }
  return registration.showNotification(title, options)
}
