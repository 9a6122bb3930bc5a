import { createHmac, hash, randomUUID } from 'node:crypto'
import { isEqualInConstantTime } from '../../../platform/constant-time.ts'
import type { DerivedKeys } from '../../../platform/encryption-keys.ts'

/** A form that was open for longer needs a proof of work. */
const lifeMs = 24 * 3_600_000
/** SHA-256 of the proof must begin with this many zero bits: a browser needs about 0.3 s. */
const targetBits = 14
const proofMax = 20

/**
 * What a page gets together with a form: the time at which it was opened, and the task of the proof of work. `hmac` binds
 * them to the form.
 */
export type Challenge = { salt: string; target: number; expires: number; hmac: string }

/** A challenge that this installation made. */
export type KnownChallenge = { id: string; text: string; ageMs: number; target: number; isOver: boolean }

/** Makes and reads challenges. All processes of an installation have the same key. */
export class Challenges {
  readonly #keys: DerivedKeys

  constructor(keys: DerivedKeys) {
    this.#keys = keys
  }

  /** Makes the challenge of a page. @param nowMs when the person opened it, in Unix milliseconds; by default now */
  make(formId: string, nowMs: number = Date.now()): Challenge {
    const part = { salt: randomUUID(), target: targetBits, expires: nowMs + lifeMs }
    return { ...part, hmac: hmacOf(this.#keys.active, formId, part) }
  }

  /** Reads the text of a challenge; null: this installation did not make it for this form. */
  read(formId: string, text: unknown, nowMs: number = Date.now()): KnownChallenge | null {
    if (typeof text !== 'string' || text.length > 200) return null
    const [salt = '', target = '', expires = '', hmac = ''] = text.split('.')
    const part = { salt, target: Number(target), expires: Number(expires) }
    if (textOf({ ...part, hmac }) !== text) return null
    const isOwn = (key: Buffer) => isEqualInConstantTime(hmac, hmacOf(key, formId, part))
    if (!this.#keys.known.some(isOwn)) return null
    const ageMs = nowMs - (part.expires - lifeMs)
    return { id: salt, text, ageMs, target: part.target, isOver: ageMs > lifeMs }
  }
}

const hmacOf = (key: Buffer, formId: string, { salt, target, expires }: Omit<Challenge, 'hmac'>): string =>
  createHmac('sha256', key).update([formId, salt, target, expires].join('.')).digest('base64url')

/** The text that a page sends back. */
export const textOf = ({ salt, target, expires, hmac }: Challenge): string =>
  [salt, target, expires, hmac].join('.')

/** Whether `proof` solves the task: SHA-256 of `<challenge>.<proof>` begins with enough zero bits. */
export function isSolved({ text, target }: KnownChallenge, proof: unknown): boolean {
  if (typeof proof !== 'string' || proof === '' || proof.length > proofMax) return false
  const digest = hash('sha256', `${text}.${proof}`, 'buffer')
  return target <= 32 && Math.clz32(digest.readUInt32BE(0)) >= target
}
