import { operations } from '../support/openapi-document.ts'

export class ReachedStatuses {
  readonly #counts = new Map<string, number>()

  add(operationId: string, status: number): void {
    const key = `${operationId} ${status}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  has(operationId: string, status: string | number): boolean {
    return this.#counts.has(`${operationId} ${status}`)
  }

  /** The documented statuses that have not occurred yet, such as `get_deal 404`. */
  missing(): string[] {
    return operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => !this.has(operationId, status))
        .map((status) => `${operationId} ${status}`),
    )
  }

  byStatus(): Record<string, number> {
    const sums: Record<string, number> = {}
    for (const [key, count] of this.#counts) {
      const status = key.split(' ')[1]!
      sums[status] = (sums[status] ?? 0) + count
    }
    return sums
  }
}
