import { z } from 'zod'
import { text } from '../../platform/http/fields.ts'
import { exportSources } from '../export-sources.ts'
import { encodingQuery } from '../schema.ts'

export const InspectQuery = z.object(encodingQuery)

export const InspectBody = z.object({
  csv: text({ min: 1 }).describe('The start of the file as text; the first 64 KiB are read.'),
})

export const Inspection = z
  .object({
    format: z.enum(['csv', 'xlsx']),
    encoding: z
      .string()
      .nullable()
      .describe('How the bytes were read, such as `utf-8` or `windows-1252`; null for a spreadsheet.'),
    delimiter: z.string().nullable().describe('null for a spreadsheet.'),
    source: z
      .enum(exportSources)
      .nullable()
      .describe('The program whose export this is, by its headers; null if none is recognized.'),
    has_header: z
      .boolean()
      .describe(
        'false if the first row looks like values. An import takes the first row as the header in any case.',
      ),
    columns: z.array(
      z.object({
        position: z.int().describe('1-based; a mapping can name the column `#<position>`.'),
        header: z.string(),
        field: z.string().nullable().describe('null: not recognized; the column goes to `custom`.'),
        samples: z.array(z.string()).describe('Up to 3 values of the first 100 rows, cut to 100 characters.'),
      }),
    ),
    mapping: z
      .record(z.string(), z.string())
      .describe('The mapping of an import of this file, ready to be changed and sent.'),
  })
  .meta({ title: 'Inspection' })

export type Inspection = z.output<typeof Inspection>
