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

/**
 * The longest wait, in milliseconds, for the response to a press. Browsers stop a worker that handles an event for much longer.
 */
const timeout = 20_000

/** The longest wait, in milliseconds, for responses that the person does not know they are waiting for. */
const shortTimeout = 3_000

const done = { action: 'done', title: 'Done' }
const snooze = { action: 'later', title: 'Remind me in 30 min' }

/** Shows pushes as notifications and handles presses on them, whether or not a tab is open. */
export function showPushes(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('push', (event) => event.waitUntil(show(worker, event.data?.text())))
  worker.addEventListener('notificationclick', (event) => event.waitUntil(handleClick(worker, event)))
  worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(worker, event)))
}

/**
 * Shows every push, even one that is unreadable or out of date. Browsers revoke the permission of sites that show nothing, and
 * some count a notification that is closed at once as nothing. If the row is already done, a silent notification says so and
 * replaces the earlier reminder.
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
    // The person at this browser may not be the one whom the reminder is for, so hide its title.
    const content = { body: 'Sign in to see it.', tag: tagOf(push) }
    return notify(worker, 'A reminder from Daymark', content)
  }
  if (state !== 'open') return notify(worker, push.title, { ...shown, body: endedTexts[state], quiet: true })
  if (push.ended && hasEnded(push, Date.now()))
    // The period is over, so the reminder cannot be snoozed, but it can still be recorded that it was done in time.
    return notify(worker, push.title, { ...shown, body: push.ended.body, actions: [done] })
  await notify(worker, push.title, { ...shown, body: push.body, actions: [done, snooze] })
}

/**
 * Shows the end of a focus phase. A visible page announces the end itself, so this notification is then silent. A hidden page
 * shows a notification with the same tag.
 */
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
 * Whether there is still something to do, since the push may have waited for hours until this browser was online. Returns 'open'
 * if the server does not respond.
 */
async function stateOf(push: AnswerableReminder): Promise<'open' | keyof typeof endedTexts | 'signed-out'> {
  try {
    const response = await fetch(statePath(push), {
      headers: { accept: 'application/json', 'x-daymark-user': push.user },
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(shortTimeout),
    })
    if (response.status === 401) return 'signed-out'
    return (response.ok && stateIn(push, await response.json())) || 'open'
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
  // The buttons stay if another try may succeed.
  const mayWorkYet = outcome === 'unreachable' || outcome === 'broken'
  // Replaces the notification instead of closing it first: a notification that was just closed might not be replaced.
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

/** Sends a request in the name of the person who was reminded. If somebody else is signed in by now, the server refuses it. */
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

/** Opens a page. Uses an open tab if there is one: the tab then navigates by itself. */
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

/**
 * The open tabs, the most recently focused first. Includes tabs that this worker does not control, such as after a forced reload.
 */
function tabsOf({ clients }: ServiceWorkerGlobalScope): Promise<readonly WindowClient[]> {
  return clients.matchAll({ type: 'window', includeUncontrolled: true })
}

/**
 * Handles a subscription that the browser dropped or replaced. Only a page knows whose reminders should come here, and whether
 * they are still wanted. So the next page that opens registers the new subscription with the server.
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
  /** The pushed text, to be read again when the notification is pressed. */
  data?: string | undefined
  actions?: (typeof done)[]
  quiet?: boolean
  /** Whether to make no sound if the notification replaces another one with the same tag. */
  once?: boolean
}

function notify(
  { registration }: ServiceWorkerGlobalScope,
  title: string,
  { quiet = false, once = false, actions = [], ...content }: NotificationContent,
): Promise<void> {
  // The type definitions lack `actions` and `renotify`, but browsers that support them accept both.
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
