import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, UsageError } from '../exit.ts'
import type { ParsedArguments } from '../flag.ts'
import { sayEarlierImport } from '../import/earlier.ts'
import { mappingLines, readMap } from '../import/mapping.ts'
import { RefusedFile } from '../import/refused-file.ts'
import { reportLines } from '../import/report.ts'
import { type ImportedFile, openImportedFile } from '../import/source.ts'
import { upload } from '../import/upload.ts'

export const importCommand: Command = {
  name: 'import',
  args: ['<contacts|companies>', '<file>'],
  summary: 'Import a CSV file or a spreadsheet, and follow the import to its end',
  description:
    'Shows which field each column goes to, sends the file, and shows the progress. `-` as file reads standard input. If the connection breaks, the file is sent again, and no row is imported twice. If the command itself was killed, use `--match-on` when you start it again: the import may already have begun. The exit code is 1 if rows were refused.',
  flags: {
    map: {
      value: 'column=field',
      many: true,
      sets: 'mapping',
      text: 'The field of a column, such as `Mail=email`. A column without a field goes to `custom`.',
    },
    'match-on': {
      value: 'field',
      text: 'Update the record that has the same value: email, phone, domain, external_id or the id.',
    },
    'default-country': {
      value: 'code',
      text: 'The country of phone numbers without a country code, such as DE.',
    },
    'decimal-sign': {
      value: 'sign',
      choices: ['point', 'comma'],
      text: 'The sign before the decimals of numbers in your own fields: with comma, 1.234 is 1234.',
    },
    'date-order': {
      value: 'order',
      choices: ['day_month', 'month_day'],
      text: 'What comes first in days with slashes in your own fields: with month_day, 03/04/2026 is 4 March.',
    },
    encoding: {
      value: 'name',
      text: 'The encoding of a CSV file, such as windows-1252. By default it is recognized.',
    },
    refused: { value: 'path', text: 'Saves the refused rows to this CSV file: line, code and reason.' },
    'dry-run': { text: 'Reads the whole file and writes nothing.' },
  },
  examples: [
    'import contacts people.csv',
    'import contacts people.xlsx --map Mail=email --match-on email --refused refused.csv',
  ],
  prints: { operations: ['imports.get'] },
  run,
}

async function run(context: Context, { args: [type, path = ''], values }: ParsedArguments): Promise<number> {
  if (type !== 'contacts' && type !== 'companies')
    throw new UsageError(`The records must be contacts or companies, not "${type}".`)
  const { io, style, result } = context
  const client = context.client()
  const mapping = readMap(values.map as string[] | undefined)
  const file = await openImportedFile(path, io)
  let refused: RefusedFile | null = null
  try {
    if (values.refused !== undefined) refused = await RefusedFile.open(String(values.refused), file.path)
    const body = await fileHead(file)
    if (body) {
      const query = values.encoding === undefined ? {} : { encoding: String(values.encoding) }
      const inspection = await client[type].imports.inspect(body, query, { signal: io.signal })
      for (const line of mappingLines(inspection, mapping, style)) await context.say(line)
    }
    await sayEarlierImport(context, client, type, file)
    const ended = await upload(context, client, type, file, mapping)
    const isForPeople = io.stdout.isTTY && values.output === undefined
    if (isForPeople) for (const line of reportLines(type, ended)) await context.say(line)
    else await result.value(ended, { idMember: 'import_id' })
    const { import_id, counts, status } = ended
    if (refused && counts.refused > 0) {
      await refused.save(await client.imports.rows.export(import_id, { signal: io.signal }), import_id)
      await context.say(`Saved the refused rows to ${values.refused}`)
    }
    return status === 'succeeded' && counts.refused === 0 ? exitCodes.done : exitCodes.refused
  } finally {
    await refused?.close()
    await file.close()
  }
}

async function fileHead(file: ImportedFile): Promise<Blob | null> {
  const head = await file.head()
  return head && new Blob([head], { type: file.type })
}
