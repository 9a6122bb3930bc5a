import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { DerivedKeys } from '../encryption-keys.ts'
import { refuse } from './fields.ts'
import { detailAt, ValidationError } from './validation.ts'

/**
 * The place where a page ends: after the record `after`. `page` is the number of the next page; the first page is 1.
 */
export type PagePosition = { after: string; page: number }

const macBytes = 12
const notOurs = refuse(
  'this cursor does not belong to this list; start again without a cursor, and send the same filters for every page',
)

/**
 * Makes and reads opaque cursors. A MAC covers the position, the org, and the list with its filters. So a cursor that
 * was changed, or belongs to another list or org, is refused.
 */
export class Cursors {
  readonly #keys: DerivedKeys
  readonly #objects: ReadonlyMap<Buffer, KeyObject>

  /** New cursors get the MAC of the active key. Cursors with a MAC of another known key stay valid. */
  constructor(keys: DerivedKeys) {
    this.#keys = keys
    this.#objects = new Map(keys.known.map((key) => [key, createSecretKey(key)]))
  }

  /** @param list the name of the list with its filters, which is the same for all pages */
  seal(orgId: string, list: string, position: PagePosition): string {
    const payload = Buffer.from(`${position.page}.${position.after}`)
    const key = this.#objects.get(this.#keys.active) ?? createSecretKey(this.#keys.active)
    return Buffer.concat([macOf(key, orgId, list, payload), payload]).toString('base64url')
  }

  /** @throws ValidationError at `cursor` */
  open(orgId: string, list: string, cursor: string, at: 'query' | 'body' = 'query'): PagePosition {
    const bytes = Buffer.from(cursor, 'base64url')
    const payload = bytes.subarray(macBytes)
    const whole = bytes.length > macBytes && bytes.toString('base64url') === cursor
    const mac = bytes.subarray(0, macBytes)
    const isOurs = (key: KeyObject) => timingSafeEqual(mac, macOf(key, orgId, list, payload))
    if (!whole || ![...this.#objects.values()].some(isOurs)) {
      throw new ValidationError([detailAt([at, 'cursor'], notOurs)])
    }
    const text = payload.toString()
    const dot = text.indexOf('.')
    return { page: Number(text.slice(0, dot)), after: text.slice(dot + 1) }
  }
}

const macOf = (key: KeyObject, orgId: string, list: string, payload: Buffer): Buffer =>
  createHmac('sha256', key).update(`${orgId}\0${list}\0`).update(payload).digest().subarray(0, macBytes)
