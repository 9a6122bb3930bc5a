import type { TextRow } from '../../platform/db/json-columns.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Ordering, orderBy } from '../../platform/db/page-order.ts'
import { rawSql, type Sql, sql, unprepared, withTextRows } from '../../platform/db/sql.ts'
import type { FileAnswer, FileFormat } from '../../platform/http/send-file.ts'
import { inSlices } from '../../platform/slices.ts'
import { readsAllIds } from '../access-path.ts'
import { withDefinedFilters } from '../defined-fields/defined-filters.ts'
import { definitionsOf, type FieldDefinition } from '../defined-fields/definition.ts'
import { comparisonsIn, type SentFilter } from '../filters/tree.ts'
import type { RecordType } from '../record-type.ts'
import { withSegment } from '../segments/with-segment.ts'
import { type RecordSelector, selectionOf } from '../selection.ts'
import { jsonColumnsOf } from '../shown-fields.ts'
import { defaultSort, orderOf } from '../sort.ts'
import { csvForm, type Form } from './csv-form.ts'
import { ExportLimiter, RunningExport } from './export-limiter.ts'

export type ExportQuery = RecordSelector & {
  format: FileFormat
  timezone?: string | undefined
  custom_columns?: boolean | undefined
  sort?: string | undefined
  fields?: readonly string[] | undefined
  conditions?: SentFilter | undefined
}

const conditionsPath = ['query', 'conditions'] as const

const limiter = new ExportLimiter()

/** A piece has at most 13 MiB, if each row has the largest `custom`. */
const rowsPerPiece = 200

/**
 * The pieces of a file of all selected records, from one snapshot. Memory use does not depend on the number of records.
 * The transaction begins when the first piece is requested. The first piece throws DomainError too_many if the owner
 * has a running export, or if four others run for 20 s.
 * @param owner `payerId` of the caller, whose limits the request uses
 * @throws ValidationError at a filter that cannot be read; DomainError not_found for `segment_id`
 */
export async function exportRecords(
  owner: string,
  org: Org,
  plainType: RecordType,
  asked: ExportQuery,
): Promise<Pick<FileAnswer, 'pieces' | 'ending'>> {
  const query = await withSegment(org, plainType, withConditions(asked), ['query', 'segment_id'])
  const type = await withDefinedFilters(org, plainType, query)
  const running = new RunningExport()
  const defined = query.custom_columns ? await org.readRows(definitionsOf(org.orgId, type.entity)) : []
  const form = formOf(type, query, defined)
  const statement = await statementOf(org, type, query, form.columns)
  async function* pieces(): AsyncGenerator<string, void> {
    await limiter.begin(owner, running)
    try {
      let text = form.heading
      for await (const rows of org.stream((tx) => batchesOf(tx, statement))) {
        text += await inSlices(owner, linesOf(form, rows))
        running.sent()
        yield text
        running.read(Buffer.byteLength(text))
        text = ''
      }
      if (text !== '') yield text
    } finally {
      limiter.release(owner)
    }
  }
  return { pieces: pieces(), ending: running.signal }
}

/** The records must match the filters and the conditions. */
function withConditions({ conditions, ...query }: ExportQuery): ExportQuery {
  if (!conditions) return query
  const { filter } = query
  const compared = comparisonsIn(conditions.tree).map((each) => [each, conditionsPath] as const)
  return {
    ...query,
    filter: {
      tree: { and: [...(filter ? [filter.tree] : []), conditions.tree] },
      places: new Map([...(filter?.places ?? []), ...compared]),
    },
  }
}

function formOf(
  type: RecordType,
  { format, timezone, fields = Object.keys(type.members) }: ExportQuery,
  defined: readonly FieldDefinition[],
): Form {
  if (format === 'csv') return csvForm(type, fields, timezone, defined)
  const wire = jsonColumnsOf(type, fields)
  return { columns: wire.columns, heading: '', line: (row) => `${wire.object(row, 0)}\n` }
}

/** Without an index for the order, only ids and sort keys are sorted: sorting whole records would fill the disk. */
async function statementOf(org: Org, type: RecordType, query: ExportQuery, columns: Sql): Promise<Sql> {
  const { sort = defaultSort } = query
  const { with: before, from, id, filter } = await selectionOf(org, type, query, 'all')
  const order = orderOf(type, sort)
  const keySql = order.key?.sql ?? null
  const ordering: Ordering = { ...order, keySql, id, idType: 'uuid' }
  if (!readsAllIds(org, type, query, sort))
    return sql`${before} select ${columns} from ${from} where ${filter.conditions} order by ${orderBy(ordering)}`
  const chosen = { ...ordering, keySql: keySql && sql`m.key`, id: sql`m.id` }
  // `offset 0` keeps the order: records are looked up one after another.
  return sql`
    select ${columns} from (
      select ${id} as id, ${keySql ?? sql`null`} as key from ${from} where ${filter.conditions}
      order by ${orderBy(ordering)} offset 0
    ) as m cross join lateral (
      select * from ${rawSql(type.entity)} r
      where r.org_id = ${org.orgId} and r.${rawSql(type.idField)} = m.id offset 0
    ) as r order by ${orderBy(chosen)}`
}

/** The cursor sees one snapshot. PostgreSQL makes a batch while the previous batch is sent. */
async function* batchesOf(tx: OrgTx, statement: Sql): AsyncGenerator<readonly TextRow[], void> {
  await tx.run(unprepared(sql`declare exported no scroll cursor for ${statement}`))
  const fetch = () =>
    tx.rows(
      unprepared(withTextRows(sql<TextRow>`fetch forward ${rawSql(String(rowsPerPiece))} from exported`)),
    )
  let next = fetch()
  try {
    for (let hasNext = true; hasNext; ) {
      const rows = await next
      hasNext = rows.length === rowsPerPiece
      if (hasNext) next = fetch()
      if (rows.length > 0) yield rows
    }
  } finally {
    // Wait for the statement: a transaction cannot end while one of its statements runs.
    await next.catch(() => {})
  }
}

function* linesOf(form: Form, rows: readonly TextRow[]): Generator<undefined, string> {
  let text = ''
  for (const row of rows) {
    text += form.line(row)
    yield
  }
  return text
}
