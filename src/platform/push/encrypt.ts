import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto'

const curve = 'prime256v1'
// The size of the single record that holds the whole message: push services accept at most 4,096 bytes.
const recordSize = 4_096

/** A browser's push address, and the keys for encrypting messages to it, in base64url. */
export interface PushSubscription {
  endpoint: string
  p256dh: string
  auth: string
}

/** Random input, new for each message. Only a test passes it in, to check the example in the RFC. */
interface OneTime {
  privateKey: Buffer
  salt: Buffer
}

/**
 * The encrypted body of a push that only this browser can read: RFC 8291, in the one encoding that push services must
 * support.
 */
export function encryptPush(
  { p256dh, auth }: Pick<PushSubscription, 'p256dh' | 'auth'>,
  text: string,
  oneTime?: OneTime,
): Buffer {
  const sender = createECDH(curve)
  if (oneTime) sender.setPrivateKey(oneTime.privateKey)
  else sender.generateKeys()
  const salt = oneTime?.salt ?? randomBytes(16)
  const receiverKey = Buffer.from(p256dh, 'base64url')
  const senderKey = sender.getPublicKey()

  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey])
  const secret = derive(sender.computeSecret(receiverKey), Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)

  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // The 2 marks this record as the last one.
  const record = [
    cipher.update(text, 'utf8'),
    cipher.update(Buffer.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ]
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  return Buffer.concat([salt, size, Buffer.of(senderKey.length), senderKey, ...record])
}

/** Whether the key is a point on the curve; nothing else can be used to encrypt. */
export function isPublicKey(base64url: string): boolean {
  try {
    // Without the length check, an empty key would pass as the point at infinity.
    return ECDH.convertKey(base64url, curve, 'base64url', undefined, 'uncompressed').length === 65
  } catch {
    return false
  }
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}
