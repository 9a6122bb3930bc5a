import { randomInt } from 'node:crypto'

export const chance = (share: number): boolean => Math.random() < share

export const oneOf = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)]!

let counted = 0
// Without m: with the number behind them, letters could look like the marker of an organization, such as mk189z.
const letters = 'abcdefghijklnopqrstuvwxyz'

/** A word that is unique in the run, and similar to no other: `kqzvxwph1a`. */
export const newNonce = (): string =>
  Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('') + (++counted).toString(36)
