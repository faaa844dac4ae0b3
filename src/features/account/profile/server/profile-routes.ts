import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import { profileChangeSchema } from '#features/account/sign-in/account.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint/endpoint.ts'
import { errorResponse, notFound } from '#platform/http/request/error-response.ts'
import { hasTag } from '#platform/http/responses/response-cache.ts'
import { rowParams } from '#platform/http/row-calls/row-calls.ts'
import { refuseField } from '#platform/http/row-calls/when.ts'
import { createPictureMaker, type PictureMaker } from './picture-maker.ts'
import type { NotMade } from './picture-queue.ts'
import { hasPicture, type Picture, pictureAddress, readPicture } from './picture-store.ts'
import { changeProfile } from './profile-store.ts'

// The largest request body in bytes: a picture of 5 MB as a data URL inside JSON.
const bodyLimit = 7 * 2 ** 20
// How many profile changes a user may send. Nobody needs more pictures, and each picture waits in memory for its turn.
const profileLimit = { name: 'profile', max: 30, seconds: 60, per: 'user' } as const

const replaced = errorResponse(
  422,
  'PICTURE_REPLACED',
  'A newer picture was uploaded before this one was ready.',
)
const busy = errorResponse(
  503,
  'BUSY',
  'Too many pictures are being uploaded right now. Try again in a few seconds.',
  {
    headers: { 'Retry-After': '5' },
  },
)

const done = { status: 200, body: { status: true } } as const
const gone = errorResponse(401, 'NOT_SIGNED_IN', 'This account no longer exists.')

/**
 * A person's name and picture, under better-auth's endpoint name and with its response. We do not use its own endpoint: it
 * accepts anything as a picture, and a new picture has to be stored together with its address.
 */
export function profileEndpoints(database: Database, now: () => Instant): Endpoint[] {
  const makePicture = createPictureMaker()
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/update-user',
      summary: 'Change the name, or the picture: a JPG, PNG or GIF of at most 5 MB as a data URL, or null',
      limit: profileLimit,
      bodyLimit,
      takes: { body: profileChangeSchema },
      responses: { 200: z.object({ status: z.literal(true) }) },
      // If two pictures are sent at once, the later one wins.
      errors: [422],
      async handle({ user, body: { name, image } }) {
        const picture = await readChosen(makePicture, user, image)
        if (picture === 'replaced') return replaced
        if (picture === 'busy') return busy
        if (picture && 'problem' in picture) return refuseField('image', picture.problem)
        return (await changeProfile(database, user, { name, picture }, now())) ? done : gone
      },
    }),
    endpointWithContext({
      method: 'GET',
      path: pictureAddress('{id}'),
      summary: "One's own picture, 256 pixels square; another picture has another address",
      takes: { params: rowParams },
      responses: { 200: { mediaType: 'image/webp' } },
      tagged: true,
      async handle({ c, user, params: { id } }) {
        // A picture's URL contains its id and never changes its content, so the id can be the ETag. Browsers must still ask the
        // server each time, because nobody may see the picture after signing out.
        const headers = { ETag: `"${id}"`, 'Cache-Control': 'private, no-cache' }
        if (hasTag(c.request.header('if-none-match'), headers.ETag)) {
          return (await hasPicture(database, user, id)) ? { status: 304, headers } : notFound
        }
        const webp = await readPicture(database, user, id)
        return webp ? { status: 200, body: webp, headers } : notFound
      },
    }),
  ]
}

async function readChosen(
  makePicture: PictureMaker,
  user: string,
  image: string | null | undefined,
): Promise<Picture | { problem: string } | NotMade | null | undefined> {
  if (typeof image !== 'string') return image
  const made = await makePicture(user, image)
  return typeof made === 'string' || 'problem' in made ? made : { id: randomUUIDv7(), webp: made.webp }
}
