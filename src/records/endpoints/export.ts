import { toCell } from '../../csv/cell.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { boolean, field, literal, refuse } from '../../platform/http/fields.ts'
import { notText } from '../../platform/http/refusal.ts'
import { timezone } from '../../platform/http/timezone.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { type ExportQuery, exportRecords } from '../export/export-records.ts'
import { filterTree } from '../filters/read-json.ts'
import { filterInQuery, filterQuery } from '../filters/read-query.ts'
import type { RecordType } from '../record-type.ts'
import { pluralOf } from './by-id.ts'
import { selectionShape, unknownSegment, updatedSince } from './list.ts'

function csvExample({ idField, example, shownExample }: RecordType): string {
  const texts = Object.keys(example).filter((name) => typeof shownExample[name] === 'string')
  const names = [idField, ...texts]
  return `${names.join(',')}\r\n${names.map((name) => toCell(String(shownExample[name]))).join(',')}\r\n`
}

const conditionsText = field<unknown>(
  (value) => {
    if (typeof value !== 'string') return notText
    try {
      return JSON.parse(value) as unknown
    } catch {
      return refuse(
        'conditions must be JSON text of a condition, such as {"field": "city", "value": "London"}',
      )
    }
  },
  { type: 'string' },
)

const onlyInCsv = {
  timezone: refuse('a time zone needs format=csv: JSON Lines show times as the list does, in Unix seconds'),
  custom_columns: refuse('own columns need format=csv: JSON Lines show `custom` as the list does'),
}
const csvOnly = ['timezone', 'custom_columns'] as const

const noPages = 'nothing: an export has no pages, and sends all records that match the filters'

/** Returns the endpoint of a record type, such as `GET /contacts/export`. */
export function exportEndpoint(type: RecordType): Endpoint {
  const plural = pluralOf(type)
  const shape = {
    format: literal('csv', 'jsonl')
      .meta({ title: 'RecordFileFormat' })
      .default('csv')
      .describe('`csv` has a header row; `jsonl` has one record per line, as the list shows it.'),
    timezone: timezone
      .optional()
      .describe(
        'For `csv`: the file shows each time as the local time of this zone with its offset, such as `2026-01-31T09:30:00+01:00`. Without it, times are Unix seconds.',
      ),
    custom_columns: boolean()
      .optional()
      .describe(
        'For `csv`: true gives each defined field a column `custom.<key>`. All other members of `custom` stay in the column `custom`. Imports read these columns.',
      ),
    ...selectionShape(type, 'text'),
    updated_since: updatedSince,
    conditions: conditionsText
      .pipe(filterTree(type.filters))
      .optional()
      .describe(
        'A tree of conditions as JSON text, such as `{"or": [{"field": "city", "value": "London"}, {"field": "tag", "value": "vip"}]}`, with the same rules as `filter` of the search. Records must also match all other filters.',
      ),
  }
  return endpoint({
    method: 'GET',
    path: `${type.path}/export`,
    name: `export_${plural}`,
    sdk: `${plural}.export`,
    summary: `Export ${plural} as a file`,
    description: `Sends all ${plural} that match the filters, from one snapshot of the data. The export accepts the filters and the \`sort\` of the list. A process runs one export at a time for each organization, and four in total; others wait for up to 20 s. The file is complete only if the answer ends properly: after a failure the server resets the connection. The server ends an export if the client reads nothing for 30 s, after 30 minutes, and soon after its API key is deleted or loses the permission. While other exports wait, the server ends the export of a client that reads less than 1 MiB a second.`,
    tag: type.tag,
    permission: `${plural}:read`,
    query: filterQuery(shape, type.filters),
    misplacedQuery: { ...filterInQuery, limit: noPages, page: noPages, cursor: noPages },
    shape: 'file',
    formats: ['csv', 'jsonl'],
    fileExamples: { csv: csvExample(type), jsonl: `${JSON.stringify(type.shownExample)}\n` },
    errors: {
      404: unknownSegment,
      429: 'The rate limit is reached, or too many exports run (`export_limit_reached`)',
    },
    async handle({ org, caller, query }) {
      const asked = query as unknown as ExportQuery
      const refused = asked.format === 'csv' ? [] : csvOnly.filter((name) => asked[name] !== undefined)
      if (refused.length > 0)
        throw new ValidationError(refused.map((name) => detailAt(['query', name], onlyInCsv[name])))
      const name = `${plural}-${new Date().toISOString().slice(0, 10)}`
      const file = await exportRecords(caller.payerId, org, type, asked)
      return { name, format: asked.format, ...file }
    },
  })
}
