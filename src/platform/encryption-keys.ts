import { deriveKey } from './encryption-key.ts'

/** A value that identifies a key without revealing it. The database stores the value of the active key. */
export const keyCheck = (rootKey: Buffer): string => deriveKey(rootKey, 'key check', 16).toString('hex')

/** Keys for one purpose, each derived from an encryption key. Everything is sealed with `active`, and read with all. */
export type DerivedKeys = { readonly active: Buffer; readonly known: readonly Buffer[] }

/** The derived keys of an installation whose encryption key never changes. */
export const onlyKey = (key: Buffer): DerivedKeys => ({ active: key, known: [key] })

/**
 * The encryption keys of a process: ENCRYPTION_KEY and, while the key is changed, OLD_ENCRYPTION_KEY. The database says
 * which one is active, so that no process seals with a key that another process does not know yet.
 */
export class EncryptionKeys {
  readonly known: readonly Buffer[]
  #active: Buffer

  /** @param active one of the keys */
  constructor(current: Buffer, old: Buffer | null, active: Buffer = current) {
    this.known = distinct(old ? [current, old] : [current])
    this.#active = active
  }

  get active(): Buffer {
    return this.#active
  }

  /** Makes the key with this check value the active one. Returns false if this process does not know it. */
  follow(check: string): boolean {
    const key = this.known.find((each) => keyCheck(each) === check)
    if (key) this.#active = key
    return key !== undefined
  }

  /** The keys of one purpose. They follow a change of the active key. */
  derive(purpose: string): DerivedKeys {
    const derived = new Map(this.known.map((key) => [key, deriveKey(key, purpose)]))
    const activeKey = () => derived.get(this.#active) ?? deriveKey(this.#active, purpose)
    return {
      get active() {
        return activeKey()
      },
      known: [...derived.values()],
    }
  }

  /** The name of the connections that say which keys their process knows: `crosswalk_system keys 1f2e3d4c 5b6a7988`. */
  get announcement(): string {
    return `${announcing} ${this.known.map(announced).join(' ')}`
  }
}

/** The message of a process that does not know the active key. */
export const unknownActiveKey =
  'the encryption key of the database was changed, and this process does not know the new one: start it again with ENCRYPTION_KEY set to the new key'

export const announcing = 'crosswalk_system keys'

/** The name of a key in an announcement: 8 hexadecimal digits. */
export const announced = (rootKey: Buffer): string => keyCheck(rootKey).slice(0, 8)

const distinct = (keys: readonly Buffer[]) =>
  keys.filter((key, at) => keys.findIndex((other) => other.equals(key)) === at)
