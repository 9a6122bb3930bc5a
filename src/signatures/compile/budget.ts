import { type Template, Value } from 'liquidjs'

// The cost of a template is counted in characters and not in time, so a busy machine accepts the same templates.

/** How many characters of a template's source are evaluated at most. Characters in a loop count each time. */
const sourceMax = 150_000
/** How many characters the output has at most before sanitizing: several times the maximum of a mailbox. */
const outputMax = 60_000

/** How many characters filters read and write at most, plus items of lists. */
export const memoryMax = 100_000
/** The maximum number of characters of a template. */
export const templateMax = 25_000

export class TooMuchWork extends Error {}
export class TooMuchOutput extends Error {}

export class Budget {
  #source = sourceMax
  #output = outputMax

  /** @throws TooMuchWork */
  spend(characters: number): void {
    this.#source -= characters
    if (this.#source < 0) throw new TooMuchWork()
  }

  /** @throws TooMuchOutput */
  write(characters: number): void {
    this.#output -= characters
    if (this.#output < 0) throw new TooMuchOutput()
  }
}

const costs = new WeakMap<Template, number>()

/** The maximum number of characters of source that rendering `template` evaluates, without the templates inside it. */
export function costOf(template: Template): number {
  let cost = costs.get(template)
  if (cost === undefined) {
    cost = 1 + lengthOf(template.token)
    // The token of an {% if %} does not contain the conditions of {% elsif %}.
    if ('branches' in template) {
      for (const argument of template.arguments?.() ?? []) {
        cost += argument instanceof Value ? lengthOfValue(argument) : lengthOf(argument)
      }
    }
    costs.set(template, cost)
  }
  return cost
}

const lengthOf = ({ begin, end }: { begin: number; end: number }) => end - begin + 1

function lengthOfValue({ initial, filters }: Value): number {
  const { postfix } = initial as unknown as { postfix: { begin: number; end: number }[] }
  const tokens = [...postfix, ...filters.map((filter) => (filter as unknown as { token: Span }).token)]
  return tokens.reduce((sum, token) => sum + lengthOf(token), 1)
}

type Span = { begin: number; end: number }
