import { createECDH, randomBytes } from 'node:crypto'
import { expect, type Page, type Worker } from '@playwright/test'
import type { PushMessage } from '../../../src/features/reminders/reminder/reminder-wire.ts'

interface Shown {
  title: string
  body: string
  actions: string[]
}

/** Pushes to the service worker of a page that may show notifications, as a push service would. */
export interface Pushed {
  /** Resolves once as many notifications are shown as were delivered, so that no test looks while the browser is about to show one. */
  deliver(message: PushMessage | string): Promise<void>
  shown(): Promise<Shown[]>
  /** Of each notification that is shown, whether it made no sound. */
  silences(): Promise<boolean[]>
  /** Presses the one visible notification, or one of its buttons, and waits until the press has been handled. */
  press(action?: 'Done' | 'Remind me in 30 min'): Promise<void>
}

/**
 * Delivers through the browser itself to the worker that the page has registered; `anyPage` may be any page of the same
 * browser. Headless Chromium shows no notifications, so only the press is simulated: its event is dispatched in the worker.
 */
export async function pushedTo(page: Page, anyPage: Page): Promise<Pushed> {
  const context = page.context()
  const worker: Worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    // It is ready a moment before it is activated, and a push delivered in between is lost.
    while (active?.state === 'activating')
      await new Promise((changed) => active.addEventListener('statechange', changed, { once: true }))
  })
  const { origin } = new URL(page.url())
  const session = await context.newCDPSession(anyPage)
  const registrationId = await new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`)
      if (ours) resolve(ours.registrationId)
    })
    void session.send('ServiceWorker.enable')
  })
  let delivered = 0
  return {
    async deliver(message) {
      const data = typeof message === 'string' ? message : JSON.stringify(message)
      await worker.evaluate(countInWorker)
      delivered += 1
      const all = delivered
      await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
      const atOnce = { message: 'a push that was delivered is shown', intervals: [20] }
      await expect.poll(() => worker.evaluate<number>('pushesShown'), atOnce).toBeGreaterThanOrEqual(all)
    },
    shown: () => worker.evaluate<Shown[]>(shownInWorker),
    silences: () => worker.evaluate<boolean[]>(silencesInWorker),
    press: (action) => worker.evaluate<void>(`(${pressInWorker})(${JSON.stringify(action ?? '')})`),
  }
}

// As strings: these names exist only in the worker.
const countInWorker = `if (!('pushesShown' in self)) {
  self.pushesShown = 0
  const { waitUntil } = ExtendableEvent.prototype
  ExtendableEvent.prototype.waitUntil = function (work) {
    if (this instanceof PushEvent) work.finally(() => { self.pushesShown += 1 })
    return waitUntil.call(this, work)
  }
}`

const shownInWorker = `registration.getNotifications().then((notifications) =>
  notifications.map(({ title, body, actions }) => ({ title, body, actions: actions.map(({ title }) => title) })))`

const silencesInWorker =
  'registration.getNotifications().then((notifications) => notifications.map(({ silent }) => silent === true))'

const pressInWorker = `async (title) => {
  const [notification] = await registration.getNotifications()
  const { action = '' } = notification.actions.find((each) => each.title === title) ?? {}
  const event = new NotificationEvent('notificationclick', { notification, action })
  let work
  // waitUntil works only on events that the browser dispatched.
  Object.defineProperty(event, 'waitUntil', { value: (promise) => { work = promise } })
  dispatchEvent(event)
  // Only a real press may bring a tab to the front.
  await work.catch((refusal) => { if (refusal.name !== 'InvalidAccessError') throw refusal })
}`

/**
 * Simulates the browser's permission prompt and push service, which headless Chromium lacks. `answer` is the person's answer to
 * the prompt. A subscription survives a reload; a new subscription gets a new endpoint.
 */
export async function fakePushService(
  page: Page,
  permission: NotificationPermission,
  answer: NotificationPermission,
) {
  const ecdh = createECDH('prime256v1')
  const subscription = {
    endpoint: `https://push.example/${randomBytes(8).toString('hex')}`,
    keys: {
      p256dh: ecdh.generateKeys().toString('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
  }
  await page.addInitScript(
    ({ permission, answer, subscription }) => {
      const read = (key: string) => localStorage.getItem(`fake-${key}`)
      const write = (key: string, value: string) => localStorage.setItem(`fake-${key}`, value)
      Object.defineProperty(Notification, 'permission', { get: () => read('permission') ?? permission })
      Notification.requestPermission = async () => {
        write('asked', String(Number(read('asked') ?? 0) + 1))
        write('permission', answer)
        return answer
      }
      const fakeSubscription = {
        toJSON: () => ({ ...subscription, endpoint: `${subscription.endpoint}-${read('times-subscribed')}` }),
        async unsubscribe() {
          localStorage.removeItem('fake-subscribed')
          return true
        },
      }
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (read('subscribed') ? fakeSubscription : null),
        async subscribe({ applicationServerKey }: PushSubscriptionOptionsInit) {
          if (!read('subscribed')) write('times-subscribed', String(Number(read('times-subscribed')) + 1))
          write('subscribed', String(applicationServerKey))
          return fakeSubscription
        },
      })
    },
    { permission, answer, subscription },
  )
  return {
    /** The key of the subscription; null without one. */
    subscribedWith: () => page.evaluate(() => localStorage.getItem('fake-subscribed')),
    /** Changes the permission in the browser's own settings, before the person comes back to the page. */
    async settle(permission: NotificationPermission) {
      await page.evaluate((settled) => {
        localStorage.setItem('fake-permission', settled)
        window.dispatchEvent(new Event('focus'))
      }, permission)
    },
    /** How often the browser's prompt was shown. */
    timesAsked: () => page.evaluate(() => Number(localStorage.getItem('fake-asked'))),
  }
}
