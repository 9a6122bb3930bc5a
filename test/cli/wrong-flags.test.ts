import { expect, test } from 'vitest'
import { readArguments } from '../../cli/src/arguments.ts'
import { requireCommandColumns } from '../../cli/src/command-columns.ts'
import { failureText, placeText } from '../../cli/src/failure-text.ts'
import { findCommand } from '../../cli/src/find-command.ts'
import { operations } from '../../cli/src/generated/operations.ts'
import { requireColumns, requireOutput } from '../../cli/src/operations/columns.ts'
import { PermissionError } from '../../sdk/src/errors.ts'

test.each<[typed: string, says: string]>([
  ['contacts list --json', 'crosswalk contacts list has no flag --json. Did you mean -o json?'],
  ['contacts get --csv=a.csv 1', 'crosswalk contacts get has no flag --csv. Did you mean -o csv?'],
  ['contacts list --format json', 'crosswalk contacts list has no flag --format. Did you mean --output?'],
  ['contacts list -n 5', 'crosswalk contacts list has no flag -n.'],
  ['contacts list --limit', '--limit needs a value.'],
  ['contacts list --limit --all', '--limit needs a value.'],
  ['contacts list --all=yes', '--all takes no value.'],
])('the command crosswalk %s says: %s', async (typed, says) => {
  const { command, rest } = await findCommand(typed.split(' '))
  expect(() => readArguments(command, rest)).toThrow(`${says}\nUsage: `)
})

const operationOf = (command: string) => operations.find((one) => one.command === command)!

test.each<[command: string, columns: string, says: string]>([
  ['contacts list', 'emial', 'there is no field "emial". Did you mean email? The fields: contact_id, '],
  ['contacts create', 'first_name,nope.plan', 'there is no field "nope". The fields: contact_id, '],
  ['fields list', 'fields', 'there is no field "fields". The fields: field_id, '],
  ['contacts list', '', 'there is no field "". The fields: contact_id, '],
])('crosswalk %s --columns %j says that %s', (command, columns, says) => {
  expect(() => requireColumns(operationOf(command), columns)).toThrow(`--columns: ${says}`)
})

test.each([
  ['contacts list', 'email, custom.plan'],
  ['fields list', 'key,label'],
  ['voice calls place', 'call_id,dry_run'],
  ['contacts activity list', 'type'],
])('crosswalk %s accepts --columns %j', (command, columns) => {
  expect(() => requireColumns(operationOf(command), columns)).not.toThrow()
})

test('a command that prints a file refuses --columns', () => {
  const says = '--columns does not apply to a file.'
  expect(() => requireColumns(operationOf('contacts export'), 'email')).toThrow(
    `${says} Choose its columns with --fields.`,
  )
  expect(() => requireColumns(operationOf('imports rows export'), 'line')).toThrow(says)
})

test('a command that prints a file refuses an --output that is not the format of the file', () => {
  const says = 'does not apply to a file.'
  expect(() => requireOutput(operationOf('contacts export'), { output: 'json' })).toThrow(
    `--output json ${says} Choose its format with --format csv or --format jsonl.`,
  )
  expect(() => requireOutput(operationOf('imports rows export'), { output: 'json' })).toThrow(
    `--output json ${says} The file is CSV.`,
  )
  for (const values of [{}, { output: 'csv' }, { output: 'jsonl', format: 'jsonl' }])
    expect(() => requireOutput(operationOf('contacts export'), values)).not.toThrow()
  expect(() => requireOutput(operationOf('contacts list'), { output: 'json' })).not.toThrow()
})

test.each<[command: string, columns: string, says: string]>([
  ['events tail', 'cursor,nope', 'there is no field "nope". The fields: type, '],
  [
    'import contacts a.csv',
    'stauts',
    'there is no field "stauts". Did you mean status? The fields: import_id, ',
  ],
  ['push leads', 'counts,nope', 'there is no field "nope". The fields: '],
  ['calls place +12025550100', 'nope', 'there is no field "nope". The fields: '],
  ['whoami', 'organisation', 'there is no field "organisation". Did you mean organization? The fields: '],
  ['profiles', 'nope', 'there is no field "nope". The fields: name, default, '],
])('crosswalk %s refuses --columns %j before it connects', async (typed, columns, says) => {
  const { command, rest } = await findCommand([...typed.split(' '), '--columns', columns])
  const { values } = readArguments(command, rest)
  await expect(requireCommandColumns(command, values.columns)).rejects.toThrow(`--columns: ${says}`)
})

test.each([
  ['events tail', 'cursor,data.object_type'],
  ['import', 'status,file_name'],
  ['push contacts', 'count,job_id,counts.failed'],
  ['calls place', 'call_id,dry_run,status'],
  ['whoami', 'organization, key_from'],
  ['profiles', 'name'],
])('crosswalk %s has --columns %j', async (name, columns) => {
  const { command } = await findCommand(name.split(' '))
  await expect(requireCommandColumns(command, columns)).resolves.toBeUndefined()
})

test.each<[typed: string, place: string[], flag: string]>([
  ['import contacts a.csv', ['query', 'mapping'], '--map'],
  ['import contacts a.csv', ['query', 'default_country'], '--default-country'],
  ['push leads', ['body', 'connection_id'], '--connection'],
  ['push leads', ['body', 'contact_ids', '1'], '--contact-id (number 2)'],
  ['push contacts', ['body', 'filter', 'lifecycle_stage'], '--lifecycle-stage'],
  ['events tail', ['query', 'cursor'], '--from'],
])('the error of crosswalk %s about %j names the flag %s', async (typed, place, flag) => {
  const { command } = await findCommand(typed.split(' '))
  expect(placeText(place, { command, operation: null })).toBe(flag)
})

test('a command of an agency that was sent to a client says how to act on the agency', () => {
  const refusal = {
    status: 403,
    code: 'own_organization_required',
    detail: 'Refused',
    problems: [],
    body: null,
  }
  const error = new PermissionError('GET /agency/clients', { ...refusal, headers: new Headers() })
  expect(failureText(error, null)).toContain('--target-org <id of the agency> overrides it')
})
