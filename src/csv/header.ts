/** The maximum number of columns of a file. */
export const columnsMax = 1000
/** The maximum length of all names of columns together. Each import keeps them, and a list has 100 imports. */
const charactersMax = 64 * 1024

/**
 * Why a row cannot be the header of a file; null if it can.
 * @param width the number of columns, if `cells` does not have all
 */
export function headerProblem(cells: readonly string[], width: number = cells.length): string | null {
  if (width > columnsMax) return `The header has ${width} columns; the maximum is ${columnsMax}.`
  const characters = cells.reduce((sum, { length }) => sum + length, 0)
  return characters > charactersMax
    ? `The header has ${characters} characters; the maximum is ${charactersMax}.`
    : null
}
