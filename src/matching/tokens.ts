import { isRoleAddress } from '../normalize/role-address.ts'
import { itemAt } from './element-at.ts'
import { ownDomainOf } from './fields/contact-point.ts'
import type { Token } from './fields/field-type.ts'
import { phoneticKey } from './names/phonetics.ts'

// Tokens are parts of values, for match keys (key-kinds.ts).

const localPartMin = 5
const wordsMax = 8

const whole: Token = (value) => [value]

const soundOf = (value: string): string[] => {
  const key = phoneticKey(value)
  return key === '' ? [] : [key]
}

// Several kinds of keys need the sound of the same names of a record.
let [latest, latestSound, former, formerSound] = ['', [] as string[], '', [] as string[]]
const sound: Token = (value) => {
  if (value === latest) return latestSound
  const made = value === former ? formerSound : soundOf(value)
  ;[former, formerSound] = [latest, latestSound]
  ;[latest, latestSound] = [value, made]
  return made
}

const firstThree: Token = (value) => [value.slice(0, 3)]
const initial: Token = (value) => [value.slice(0, 1)]

/** Role addresses have no token, because they identify nobody. */
const localPart: Token = (value) => {
  const local = value.slice(0, Math.max(0, value.lastIndexOf('@')))
  return local.length < localPartMin || isRoleAddress(value) ? [] : [local]
}

const ownDomain: Token = (value) => {
  const domain = ownDomainOf(value)
  return domain === null ? [] : [domain]
}

const lastSeven: Token = (value) => (value.length < 7 ? [] : [value.slice(-7)])

/** Makes a token of each two neighboring words. Their order does not matter. */
const wordPairs: Token = (value) => {
  const words = value.split(' ').slice(0, wordsMax + 1)
  const pairs = new Set<string>()
  for (let index = 1; index < words.length; index += 1)
    pairs.add([itemAt(words, index - 1), itemAt(words, index)].sort().join(' '))
  return [...pairs]
}

const firstWord: Token = (value) => [value.split(' ').find((word) => /[a-z]/.test(word)) ?? value]

const lettersOnly: Token = (value) => [value.replaceAll(' ', '')]

/** All tokens by name. The names are part of the names of key kinds. */
export const tokenKinds = {
  whole,
  sound,
  firstThree,
  initial,
  localPart,
  ownDomain,
  lastSeven,
  wordPairs,
  firstWord,
  lettersOnly,
} as const
