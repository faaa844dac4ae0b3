/**
 * SHA-256 by FIPS 180-4. Browsers provide it only asynchronously, and only to pages from https or from this computer. Pages of a
 * server in a home network are often neither.
 */
export function sha256(message: Uint8Array): Uint8Array {
  const padded = withLength(message)
  const view = new DataView(padded.buffer)
  const state = Uint32Array.from(initial)
  const words = new Uint32Array(64)
  for (let block = 0; block < padded.length; block += 64) {
    for (let word = 0; word < 16; word += 1) words[word] = view.getUint32(block + 4 * word)
    addBlock(state, words)
  }
  const hash = new Uint8Array(32)
  const out = new DataView(hash.buffer)
  for (let place = 0; place < 8; place += 1) out.setUint32(4 * place, state[place] ?? 0)
  return hash
}

/** Pads the message to whole blocks: a single 1 bit after it, and its length in bits at the end. */
function withLength(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(padded.length - 4, message.length << 3)
  return padded
}

function addBlock(state: Uint32Array, words: Uint32Array): void {
  for (let place = 16; place < 64; place += 1) {
    const before15 = words[place - 15] ?? 0
    const before2 = words[place - 2] ?? 0
    const s0 = turned(before15, 7) ^ turned(before15, 18) ^ (before15 >>> 3)
    const s1 = turned(before2, 17) ^ turned(before2, 19) ^ (before2 >>> 10)
    words[place] = (words[place - 16] ?? 0) + s0 + (words[place - 7] ?? 0) + s1
  }
  // Not by destructuring, which goes through an iterator and takes as long as all the rounds.
  let a = state[0] ?? 0
  let b = state[1] ?? 0
  let c = state[2] ?? 0
  let d = state[3] ?? 0
  let e = state[4] ?? 0
  let f = state[5] ?? 0
  let g = state[6] ?? 0
  let h = state[7] ?? 0
  for (let round = 0; round < 64; round += 1) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (constants[round] ?? 0) + (words[round] ?? 0)) | 0
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  const sums = [a, b, c, d, e, f, g, h]
  for (let place = 0; place < 8; place += 1) state[place] = (state[place] ?? 0) + (sums[place] ?? 0)
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** The first 32 bits of the fractional parts of the square or cube roots of the first primes, computed exactly. */
function fractionsOfRoots(count: number, root: 2 | 3): number[] {
  const bits = 32n
  return primes(count).map((prime) => {
    const scaled = BigInt(prime) << (bits * BigInt(root))
    return Number(wholeRoot(scaled, root) & 0xffffffffn)
  })
}

function wholeRoot(value: bigint, root: 2 | 3): bigint {
  let [low, high] = [0n, 1n << 40n]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (middle ** BigInt(root) <= value) low = middle
    else high = middle
  }
  return low
}

function primes(count: number): number[] {
  const found: number[] = []
  for (let number = 2; found.length < count; number += 1) {
    if (found.every((prime) => number % prime !== 0)) found.push(number)
  }
  return found
}

const initial = fractionsOfRoots(8, 2)
const constants = Uint32Array.from(fractionsOfRoots(64, 3))
