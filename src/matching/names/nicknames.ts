import { readFileSync } from 'node:fs'
import { numberAt } from '../element-at.ts'
import { europeanNicknames } from './european-nicknames.ts'

/**
 * `own` is the number of a name. `roots` has the sorted numbers of the names that it can be short for, and its own
 * number. A name without nicknames has the number −1, which is not in `roots`. Alex is short for Alexander and Alexandra.
 */
export type GivenName = { readonly own: number; readonly roots: readonly number[] }

// Pairs of the data that most people regard as two names.
const unrelatedPairs = new Set(
  'aaron erin,andrea andrew,patrick peter,casper jasper,bill robert,billy robert,wilma william'.split(','),
)
let cachedNames: Map<string, GivenName> | undefined

/**
 * Finds a given name in lower-case ASCII; undefined if it is unknown. The first call reads the data, which takes a
 * few ms. English names: carltonnorthern/nicknames, Apache-2.0, see nicknames.csv.
 */
export function givenName(name: string): GivenName | undefined {
  cachedNames ??= readNicknames()
  return cachedNames.get(name)
}

/** Returns whether one name is a nickname of the other, such as Bob and Robert. */
export function isNickname(a: GivenName, b: GivenName): boolean {
  return a === b || b.roots.includes(a.own) || a.roots.includes(b.own)
}

/** Returns whether both are nicknames of the same name, such as Bob and Rob. This is weaker evidence. */
export function shareRoot(a: GivenName, b: GivenName): boolean {
  for (let i = 0, j = 0; i < a.roots.length && j < b.roots.length; ) {
    if (a.roots[i] === b.roots[j]) return true
    if (numberAt(a.roots, i) < numberAt(b.roots, j)) i++
    else j++
  }
  return false
}

function readNicknames(): Map<string, GivenName> {
  const numbers = new Map<string, number>()
  const roots = new Map<string, Set<number>>()
  const add = (name: string, root: number) => {
    const set = roots.get(name)
    if (set === undefined) roots.set(name, new Set([root]))
    else set.add(root)
  }
  const relate = (name: string, nickname: string) => {
    if (unrelatedPairs.has(`${name} ${nickname}`) || unrelatedPairs.has(`${nickname} ${name}`)) return
    const root = numbers.get(name) ?? numbers.size
    numbers.set(name, root)
    add(name, root)
    add(nickname, root)
  }
  const text = readFileSync(new URL('nicknames.csv', import.meta.url), 'utf8')
  for (const line of text.split('\n')) {
    const [name, relation, nickname] = line.trim().split(',')
    if (relation === 'has_nickname' && name !== undefined && nickname !== undefined) relate(name, nickname)
  }
  for (const [name, nickname] of europeanNicknames()) relate(name, nickname)
  return new Map(
    [...roots].map(([name, set]) => [
      name,
      { own: numbers.get(name) ?? -1, roots: [...set].sort((a, b) => a - b) },
    ]),
  )
}
