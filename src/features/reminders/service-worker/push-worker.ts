/// <reference lib="webworker" />
import { notificationTag } from '../reminder/notification-tag.ts'
import {
  type AnswerableReminder,
  doneRequest,
  hasEnded,
  type PressOutcome,
  type PushedEnd,
  type PushedReminder,
  type PushRequest,
  pressOutcome,
  readPush,
  snoozeRequest,
  stateIn,
  statePath,
} from './pushed-reminder.ts'
import type { TabMessage } from './tab-message.ts'

/** In milliseconds: browsers end a worker that holds an event for much longer. */
const timeout = 20_000

/** The same, for waits that the person does not know about. */
const shortTimeout = 3_000

const done = { action: 'done', title: 'Done' }
const snooze = { action: 'later', title: 'Remind me in 30 min' }

/** Shows what is pushed, and handles presses on it, whether or not a tab is open. */
export function showPushes(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('push', (event) => event.waitUntil(show(worker, event.data?.text())))
  worker.addEventListener('notificationclick', (event) => event.waitUntil(handleClick(worker, event)))
  worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(worker, event)))
}

/**
 * Every push must be shown, even one that cannot be read or is out of date: browsers revoke the permission of sites that
 * stay silent, and some count showing and closing at once as silence. So if the row is done already, a notification says
 * that silently, replacing the one that asked for it.
 */
async function show(worker: ServiceWorkerGlobalScope, text: string | undefined): Promise<void> {
  const push = readPush(text)
  if (!push)
    return notify(worker, 'A reminder from Daymark', { body: 'Open Daymark to see it.', tag: 'unread' })
  const shown = { tag: tagOf(push), data: text }
  if (push.kind === 'test') return notify(worker, push.title, { ...shown, body: push.body })
  if (push.kind === 'focus') return showEnd(worker, push, shown)
  const state = await stateOf(push)
  if (state === 'signed-out') {
    // The person looking at this browser now need not be the one whose title it is.
    const content = { body: 'Sign in to see it.', tag: tagOf(push) }
    return notify(worker, 'A reminder from Daymark', content)
  }
  if (state !== 'open') return notify(worker, push.title, { ...shown, body: endedTexts[state], quiet: true })
  if (push.ended && hasEnded(push, Date.now()))
    // It cannot be snoozed any more, but completing it in time can still be recorded.
    return notify(worker, push.title, { ...shown, body: push.ended.body, actions: [done] })
  await notify(worker, push.title, { ...shown, body: push.body, actions: [done, snooze] })
}

/** A page in front of the person announces it by itself, so this makes no sound; one behind others shows one with the same tag. */
async function showEnd(
  worker: ServiceWorkerGlobalScope,
  push: PushedEnd,
  shown: { tag: string; data: string | undefined },
): Promise<void> {
  const tabs = await tabsOf(worker)
  const quiet = tabs.some(({ visibilityState }) => visibilityState === 'visible')
  await notify(worker, push.title, { ...shown, body: push.body, once: true, quiet })
}

const endedTexts = { done: 'Already done', gone: 'No longer exists' }

/**
 * Whether there is still something to do: the push may have waited for hours until this browser was online. If the server
 * does not answer, there is.
 */
async function stateOf(push: AnswerableReminder): Promise<'open' | keyof typeof endedTexts | 'signed-out'> {
  try {
    const answer = await fetch(statePath(push), {
      headers: { accept: 'application/json', 'x-daymark-user': push.user },
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(shortTimeout),
    })
    if (answer.status === 401) return 'signed-out'
    return (answer.ok && stateIn(push, await answer.json())) || 'open'
  } catch {
    return 'open'
  }
}

async function handleClick(worker: ServiceWorkerGlobalScope, { action, notification }: NotificationEvent) {
  const data: unknown = notification.data
  const text = typeof data === 'string' ? data : undefined
  const push = readPush(text)
  if (!push || push.kind === 'test' || push.kind === 'focus' || (action !== 'done' && action !== 'later')) {
    notification.close()
    return open(worker, push?.url ?? '/todos')
  }
  const outcome = await request(action === 'done' ? doneRequest(push) : snoozeRequest(push), push.user)
  if (outcome === 'done') {
    notification.close()
    return postToTabs(worker, { daymark: 'changed', user: push.user })
  }
  // If the next try may well succeed, the buttons stay.
  const mayWorkYet = outcome === 'unreachable' || outcome === 'broken'
  // Replaces the notification; one closed just before might not be.
  await notify(worker, push.title, {
    body: unsavedTexts[outcome],
    tag: tagOf(push),
    data: text,
    actions: mayWorkYet ? (hasEnded(push, Date.now()) ? [done] : [done, snooze]) : [],
  })
}

const unsavedTexts: Record<Exclude<PressOutcome, 'done'>, string> = {
  'signed-out': "Not saved: you're signed out on this device. Open Daymark to sign in.",
  gone: 'Not saved: it no longer exists.',
  early: "Not saved: it isn't due yet.",
  over: "Already done: you won't be reminded again.",
  broken: 'Not saved: something went wrong on the server. Try again.',
  unreachable: "Not saved: Daymark can't be reached. Try again.",
}

/** Requests in the name of the person who was reminded: if somebody else is signed in by now, the server refuses. */
async function request({ method, path, body }: PushRequest, user: string): Promise<PressOutcome> {
  try {
    const { status } = await fetch(path, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'x-daymark-user': user },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    return pressOutcome(status)
  } catch {
    return 'unreachable'
  }
}

/** Uses an open tab if there is one: it navigates by itself. */
async function open(worker: ServiceWorkerGlobalScope, url: string): Promise<void> {
  const [tab] = await tabsOf(worker)
  if (!tab) return void (await worker.clients.openWindow(url))
  postToTabs(worker, { daymark: 'open', url }, [tab])
  await tab.focus()
}

async function postToTabs(
  worker: ServiceWorkerGlobalScope,
  message: TabMessage,
  tabs?: readonly WindowClient[],
): Promise<void> {
  for (const tab of tabs ?? (await tabsOf(worker))) tab.postMessage(message)
}

/** Most recently focused first. Some may not be controlled by this worker, such as after a forced reload. */
function tabsOf({ clients }: ServiceWorkerGlobalScope): Promise<readonly WindowClient[]> {
  return clients.matchAll({ type: 'window', includeUncontrolled: true })
}

/**
 * The browser dropped the subscription, or replaced it. Only a page knows whose reminders are to come here, and whether
 * they still want them: the next one that opens registers what it finds with the server.
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

interface NotificationContent {
  body: string
  tag: string
  /** What was pushed, to be read again when it is pressed. */
  data?: string | undefined
  actions?: (typeof done)[]
  quiet?: boolean
  /** In place of one with its tag it makes no sound again. */
  once?: boolean
}

function notify(
  { registration }: ServiceWorkerGlobalScope,
  title: string,
  { quiet = false, once = false, actions = [], ...content }: NotificationContent,
): Promise<void> {
  // `actions` and `renotify` are missing from the type definitions, though browsers that support them accept both.
  const options: NotificationOptions & { actions: typeof actions; renotify: boolean } = {
    ...content,
    actions,
    silent: quiet,
    // A repeated reminder makes a sound again.
    renotify: !quiet && !once,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
  }
  return registration.showNotification(title, options)
}
