import type { Command } from './command.ts'
import { requireColumns } from './operations/columns.ts'

/**
 * Checks `--columns` of a hand-written command before it runs, so that no import or push begins with a wrong column
 * name.
 * @throws UsageError if the result cannot have one of the fields
 */
export async function requireCommandColumns({ prints }: Command, columns: unknown): Promise<void> {
  if (!prints || typeof columns !== 'string') return
  const { operations } = await import('./generated/operations.ts')
  const answered = operations.filter(({ sdk }) => prints.operations?.includes(sdk))
  const members = answered.flatMap((one) => one.members ?? [])
  requireColumns(
    { shape: 'data', query: [], members: [...new Set([...members, ...(prints.members ?? [])])] },
    columns,
  )
}
