import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hashBytes, p, r } from './derive-password.ts'
import { frequentPasswords } from './frequent-passwords.ts'
import { PasswordLimiter } from './password-limiter.ts'
import { PasswordThreads } from './password-threads.ts'

const lengthMin = 15
/** The minimum for a person with a second factor. */
const lengthMinWithSecond = 8
const lengthMax = 256

/**
 * Hashes and checks passwords, at most two at once: each takes 32 MiB, and 0.3 s of a core at low priority. Each client
 * network has at most one check at a time.
 * @throws the errors of `PasswordLimiter`
 */
export class PasswordHasher {
  readonly #turns = new PasswordLimiter()
  readonly #threads = new PasswordThreads()
  readonly #cost: number
  /** The hash that is checked if there is no such person, so that the check takes the same time. */
  readonly #decoy: string

  /** @param cost log2 of scrypt's N. Each step doubles time and memory */
  constructor(cost: number) {
    this.#cost = cost
    this.#decoy = formatted(cost, randomBytes(16), randomBytes(hashBytes))
  }

  /** The hash of a password, in the stored form: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
  hash(network: string, password: string): Promise<string> {
    return this.#turns.run(network, async () => {
      const salt = randomBytes(16)
      return formatted(this.#cost, salt, await this.#threads.derive({ cost: this.#cost, password, salt }))
    })
  }

  /**
   * Returns the person whom `find` finds if this is the person's password, or null. Without a person or a password, this
   * takes the same time.
   * @param find runs after the wait, immediately before the check. So a refused check does not ask the database
   */
  verify<Person extends { password: string | null }>(
    network: string,
    password: string,
    find: () => Promise<Person | undefined>,
  ): Promise<Person | null> {
    return this.#turns.run(network, async () => {
      const person = await find()
      const stored = person?.password ?? null
      const [costs = '', salt = '', hash = ''] = (stored ?? this.#decoy).split('$').slice(2)
      const found = await this.#threads.derive({
        cost: Number(costs.match(/^ln=(\d+),/)?.[1]),
        password,
        salt: Buffer.from(salt, 'base64'),
      })
      const isRight = timingSafeEqual(found, Buffer.from(hash, 'base64')) && stored !== null
      return isRight && person ? person : null
    })
  }
}

const formatted = (cost: number, salt: Buffer, hash: Buffer) =>
  `$scrypt$ln=${cost},r=${r},p=${p}$${salt.toString('base64')}$${hash.toString('base64')}`

/**
 * Why a password is too weak; null if it is not. Any kinds of characters are accepted (NIST SP 800-63B-4).
 * @param names words that an attacker would try first: the address, the name and the organization
 */
export function passwordFault(
  password: string,
  names: readonly string[],
  hasSecondFactor = false,
): string | null {
  const normal = password.normalize('NFKC').toLowerCase()
  const min = hasSecondFactor ? lengthMinWithSecond : lengthMin
  const length = [...normal].length
  if (length < min)
    return `a password needs at least ${min} characters; several words in a row are easy to remember`
  if (length > lengthMax) return `a password has at most ${lengthMax} characters`
  if (new Set(normal).size < 5) return 'this password repeats a few characters; use several words'
  const known = names.flatMap((name) => [name, name.replace(/@.*$/, '')]).map((name) => name.toLowerCase())
  if (known.some((name) => name.length > 2 && normal.replaceAll(name, '').length < 6))
    return 'this password is little more than a name or address that others know; use several words'
  const letters = normal.replaceAll(/[^a-z]/g, '')
  if (
    frequentPasswords.some(
      (common) =>
        letters === common || normal === common.repeat(Math.ceil(length / common.length)).slice(0, length),
    )
  )
    return 'this password is one of the most common ones; use several words'
  return null
}
