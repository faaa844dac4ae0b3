import { expect, it } from 'vitest'
import { encryptPush, isPublicKey } from './encrypt.ts'

const receiver = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

it('reproduces the example of RFC 8291 to the byte', () => {
  const encrypted = encryptPush(receiver, 'When I grow up, I want to be a watermelon', {
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
  })
  expect(encrypted.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl' +
      '7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

it('encrypts the same text differently each time', () => {
  expect(encryptPush(receiver, 'Water the plants')).not.toEqual(encryptPush(receiver, 'Water the plants'))
})

it('accepts a point on the curve as a key, and nothing else', () => {
  expect(isPublicKey(receiver.p256dh)).toBe(true)
  expect(isPublicKey(receiver.p256dh.replace('BCVx', 'BCVy'))).toBe(false)
  expect(isPublicKey(Buffer.alloc(65, 4).toString('base64url'))).toBe(false)
  expect(isPublicKey('')).toBe(false)
})
