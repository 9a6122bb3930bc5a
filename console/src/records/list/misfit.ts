import { problemAt } from '../../api/problem.ts'

/** The part of a search that the API refused, such as a filter by a field that does not exist; null: none. */
export const misfitOf = (error: unknown): 'filter' | 'sort' | null =>
  (['filter', 'sort'] as const).find((part) => problemAt(error, part) !== null) ?? null
