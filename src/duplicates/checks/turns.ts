import type { DueOrg } from './checks.ts'

/** The order in which organizations get their turns. */
export class Turns {
  /** When organizations and payers last had a turn, as the number of that turn. */
  readonly #last = new Map<string, number>()
  #count = 0

  /**
   * Orders organizations so that payers alternate: the first organization of each payer, then the second ones. A payer
   * with fewer organizations begins again with its first one. The payer that has waited longest comes first. Among the
   * organizations of a payer, the one that has waited longest comes first.
   */
  order(waiting: readonly DueOrg[]): DueOrg[] {
    const ofPayers = [...Map.groupBy(waiting, ({ payerId }) => payerId)]
      .toSorted(([one], [other]) => this.#lastOf(payer(one)) - this.#lastOf(payer(other)))
      .map(([, orgs]) => orgs.toSorted((one, other) => this.#lastOf(one.orgId) - this.#lastOf(other.orgId)))
    const rounds = Math.max(0, ...ofPayers.map(({ length }) => length))
    return Array.from({ length: rounds }, (_, round) =>
      ofPayers.flatMap((orgs) => orgs[round % orgs.length] ?? []),
    ).flat()
  }

  /** Notes that an organization has a turn now. */
  note({ orgId, payerId }: DueOrg): void {
    this.#count++
    this.#last.set(orgId, this.#count)
    this.#last.set(payer(payerId), this.#count)
  }

  #lastOf(name: string): number {
    return this.#last.get(name) ?? 0
  }
}

const payer = (payerId: string) => `payer ${payerId}`
