/** What a new import is of, in the form of the address. */
export const readNewImport = ({
  of,
}: Record<string, unknown>): { of?: 'contacts' | 'companies' | undefined } => ({
  of: of === 'contacts' || of === 'companies' ? of : undefined,
})

/** How many rows the file of an import has, if the page that sent it knows. */
export const readImport = ({ rows }: Record<string, unknown>): { rows?: number | undefined } => ({
  rows: typeof rows === 'number' && rows > 0 ? rows : undefined,
})
