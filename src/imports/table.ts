import { readCsv } from '../csv/csv.ts'
import type { CsvRow } from '../csv/csv-rows.ts'
import type { RecordType } from '../records/record-type.ts'
import { type Column, mapColumns } from './columns.ts'
import type { ImportError } from './schema.ts'
import type { Entity } from './synonyms.ts'

/** The file as a whole cannot be imported; the message says why and what to do. */
export class Unusable extends Error {
  override name = 'Unusable'
  /** What the user has to correct. */
  readonly part: 'file' | 'mapping'

  constructor(message: string, part: 'file' | 'mapping' = 'file') {
    super(message)
    this.part = part
  }
}

/** The `error` of an import that failed with it. */
export const unusable = ({ part, message }: Unusable): ImportError => ({ code: `${part}_unusable`, message })

/** A CSV file whose header was read: its columns, and its rows, which are read on demand. */
export type Table = { columns: Column[]; rows: AsyncIterable<CsvRow[]> }

/**
 * Reads the header of a CSV file.
 * @param owner the org whose share of the thread the reading uses
 * @throws Unusable if it is no CSV file, or if the mapping does not fit the header
 */
export async function openTable(
  source: AsyncIterable<Uint8Array>,
  type: RecordType,
  mapping: Record<string, string> | undefined,
  owner?: string,
): Promise<Table> {
  const file = await readCsv(source, { ...(owner && { owner }) })
  if ('problem' in file) throw new Unusable(file.problem)
  const { columns, problems } = mapColumns(file.header, type.entity as Entity, mapping)
  if (problems.length > 0) throw new Unusable(problems.join(' '), 'mapping')
  return { columns, rows: file.rows }
}
