import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, endpoint } from '#platform/http/endpoint.ts'
import { notFound, refuse } from '#platform/http/refusal.ts'
import { rowParams } from '#platform/http/row-calls.ts'
import { refuseField } from '#platform/http/when.ts'
import { profileChangeSchema } from '../account.ts'
import { changeProfile } from './account-store.ts'
import { makePicture } from './picture.ts'
import { type Picture, pictureAddress, readPicture } from './picture-store.ts'

// 5 MB, as a data URL inside of JSON.
const bodyLimit = 7 * 2 ** 20
// Nobody chooses so many pictures, and each one waits in memory for its turn.
const profileLimit = { name: 'profile', max: 30, seconds: 60, per: 'user' } as const

const done = { status: 200, body: { status: true } } as const
const gone = refuse(401, 'NOT_SIGNED_IN', 'This account is not there any more.')

/**
 * Name and picture of a person, with better-auth's name and answer. Its own call is not asked: it takes anything for a
 * picture, and a new one has to be stored together with its address.
 */
export function profileEndpoints(database: Database, now: () => Instant): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/update-user',
      summary: 'Change the name, or the picture: a JPG, PNG or GIF of at most 5 MB as a data URL, or null',
      limit: profileLimit,
      bodyLimit,
      takes: { body: profileChangeSchema },
      answers: { 200: z.object({ status: z.literal(true) }) },
      async handle({ user, body: { name, image } }) {
        const picture = await readChosen(image)
        if (picture && 'problem' in picture) return refuseField('image', picture.problem)
        return (await changeProfile(database, user, { name, picture }, now())) ? done : gone
      },
    }),
    endpoint({
      method: 'GET',
      path: pictureAddress('{id}'),
      summary: "One's own picture, 256 pixels square; another picture has another address",
      takes: { params: rowParams },
      answers: { 200: { mediaType: 'image/webp' } },
      async handle({ user, params: { id } }) {
        const webp = await readPicture(database, user, id)
        if (!webp) return notFound
        return {
          status: 200,
          body: webp,
          headers: { 'Cache-Control': 'private, max-age=31536000, immutable' },
        }
      },
    }),
  ]
}

async function readChosen(
  image: string | null | undefined,
): Promise<Picture | { problem: string } | null | undefined> {
  if (typeof image !== 'string') return image
  const made = await makePicture(image)
  return 'problem' in made ? made : { id: randomUUIDv7(), webp: made.webp }
}
