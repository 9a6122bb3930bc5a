import { readFileSync } from 'node:fs'
import { europeanNicknames } from './european-nicknames.ts'

/**
 * A given name that the data know: its own number, if others are short for it, and the numbers of what it is short
 * for, ascending, its own among them. A set: Alex is Alexander as well as Alexandra.
 */
export type GivenName = { readonly own: number; readonly roots: readonly number[] }

// What the data call a nickname and people take for two names.
const apart = new Set(
  'aaron erin,andrea andrew,patrick peter,casper jasper,bill robert,billy robert,wilma william'.split(','),
)
let known: Map<string, GivenName> | undefined

/**
 * What is known of a given name (lower-case ASCII), or undefined. The file beside this one is read at the first call
 * (a few ms). English data: carltonnorthern/nicknames, Apache-2.0, see nicknames.csv.
 * The rest of Europe: european-nicknames.ts.
 */
export function givenName(name: string): GivenName | undefined {
  known ??= read()
  return known.get(name)
}

/** Whether one of two known names is a nickname of the other, or has it as one: Bob and Robert. Symmetric. */
export function isNickname(a: GivenName, b: GivenName): boolean {
  return a === b || b.roots.includes(a.own) || a.roots.includes(b.own)
}

/** Whether two known names are nicknames of one name: Bob and Rob. Weaker, and symmetric. */
export function shareRoot(a: GivenName, b: GivenName): boolean {
  for (let i = 0, j = 0; i < a.roots.length && j < b.roots.length; ) {
    if (a.roots[i] === b.roots[j]) return true
    if (a.roots[i]! < b.roots[j]!) i++
    else j++
  }
  return false
}

function read(): Map<string, GivenName> {
  const numbers = new Map<string, number>()
  const roots = new Map<string, Set<number>>()
  const add = (name: string, root: number) => {
    const set = roots.get(name)
    if (set === undefined) roots.set(name, new Set([root]))
    else set.add(root)
  }
  const relate = (name: string, nickname: string) => {
    if (apart.has(`${name} ${nickname}`) || apart.has(`${nickname} ${name}`)) return
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
  // A name that is only ever short for others has a number that nobody shares.
  return new Map(
    [...roots].map(([name, set]) => [
      name,
      { own: numbers.get(name) ?? -1, roots: [...set].sort((a, b) => a - b) },
    ]),
  )
}
