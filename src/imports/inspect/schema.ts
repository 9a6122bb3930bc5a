import { z } from 'zod'
import { text } from '../../platform/http/fields.ts'
import * as shown from '../../platform/http/shown.ts'
import { exportSources } from '../export-sources.ts'
import { encodingQuery } from '../schema.ts'

export const InspectQuery = z.object(encodingQuery)

export const InspectBody = z
  .object({
    csv: text({ min: 1 }).describe('The start of the file as text; the first 64 KiB are read.'),
  })
  .meta({ title: 'InspectRequest' })

const Column = z
  .object({
    position: shown.count(
      'The position of the column, from 1. A mapping can name the column as `#<position>`.',
      1,
    ),
    header: shown.text('The header of the column.', 'Mail'),
    field: shown
      .text('The recognized field; null: not recognized, the column goes to `custom`.', 'email')
      .nullable(),
    samples: z.array(z.string()).meta({
      description: 'Up to 3 values of the first 100 rows, cut to 100 characters.',
      examples: [['ada@example.com']],
    }),
  })
  .meta({ title: 'InspectedColumn' })

export const Inspection = z
  .object({
    format: shown.word('FileFormat', ['csv', 'xlsx'], 'The format of the file, by its bytes.'),
    encoding: shown
      .text('How the bytes were read, such as `utf-8` or `windows-1252`; null for a spreadsheet.', 'utf-8')
      .nullable(),
    delimiter: shown.text('The character between two values; null for a spreadsheet.', ',').nullable(),
    source: z
      .enum(exportSources)
      .meta({ title: 'ExportSource' })
      .nullable()
      .meta({
        description: 'The program that exported the file, recognized by the headers; null: not recognized.',
        examples: [null],
      }),
    max_bytes: shown.count('The maximum size of an imported file of this format, in bytes.', 2_147_483_648),
    has_header: shown.flag(
      'false if the first row looks like values. An import always reads the first row as the header.',
      true,
    ),
    columns: z.array(Column).describe('The columns in the order of the file.'),
    mapping: z.record(z.string(), z.string()).meta({
      description: 'The mapping that an import would use. You can change it and send it with the import.',
      examples: [{ Mail: 'email' }],
    }),
    match_on: shown
      .text(
        'The `match_on` to send with the import: the id, if the file has ids of records of this organization; otherwise null.',
        'contact_id',
      )
      .nullable(),
  })
  .meta({ title: 'Inspection' })

export type Inspection = z.output<typeof Inspection>
