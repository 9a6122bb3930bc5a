/** Draws random values, which depend only on the stream of numbers. */
export class Dice {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  when(probability: number): boolean {
    return this.#random() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  /** Draws from a list. Its first items are the most frequent (about Zipf's law, but less steep at the beginning). */
  frequent<T>(list: readonly T[]): T {
    const start = 8
    const place = start * (1 + list.length / start) ** this.#random() - start
    return list[Math.min(list.length - 1, Math.floor(place))]!
  }

  /** Returns the text, or with this probability an empty one. */
  unless(probability: number, text: string): string {
    return this.when(probability) ? '' : text
  }

  digits(number: number, length: number): string {
    return String(number).padStart(length, '0')
  }

  /** Adds a typo: one letter left out, doubled, replaced or swapped with the next one. */
  typo(text: string): string {
    if (text.length < 2) return text
    const at = this.below(text.length - 1)
    const [before, letter, next, after] = [text.slice(0, at), text[at]!, text[at + 1]!, text.slice(at + 2)]
    const other = 'abcdefghijklmnopqrstuvwxyz'[this.below(26)]!
    return this.pick([
      before + next + after,
      before + letter + letter + next + after,
      before + other + next + after,
      before + next + letter + after,
    ])
  }

  otherDigit(text: string): string {
    const places = [...text].flatMap((character, place) => (/\d/.test(character) && place > 2 ? [place] : []))
    const at = this.pick(places)
    return text.slice(0, at) + String((Number(text[at]) + 1 + this.below(9)) % 10) + text.slice(at + 1)
  }

  shorter(text: string): string {
    const list = text.split(' ')
    const left = this.below(list.length)
    return list.filter((_, place) => place !== left).join(' ')
  }

  shuffle<T>(list: T[]): T[] {
    for (let place = list.length - 1; place > 0; place -= 1) {
      const other = this.below(place + 1)
      ;[list[place], list[other]] = [list[other]!, list[place]!]
    }
    return list
  }
}
