/** Values in one line. A value that has a comma itself is quoted, so that it does not look like two. */
export const listed = (values: readonly string[]): string =>
  values.map((value) => (value.includes(',') ? `“${value}”` : value)).join(', ')
