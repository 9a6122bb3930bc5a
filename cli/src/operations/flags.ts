import type { Flag } from '../flag.ts'
import { flagOf } from './body.ts'
import type { Operation, Parameter } from './operation.ts'

const words: Record<Parameter['kind'], string> = {
  text: 'text',
  integer: 'number',
  number: 'number',
  boolean: '',
  time: 'time',
  day: 'time',
  list: 'text',
  json: 'json',
}

function flagFor({ kind, text, choices, required }: Parameter, isQuery: boolean): Flag {
  const needed = required && !isQuery ? 'Required. ' : ''
  const sources = kind === 'json' && !isQuery ? ' JSON, `@file`, or `-` for standard input.' : ''
  return {
    ...(kind === 'boolean' ? {} : { value: words[kind] }),
    ...(kind === 'list' ? { many: true as const } : {}),
    ...(choices && choices.length <= 60 ? { choices } : {}),
    ...(required && isQuery ? { required: true as const } : {}),
    text: needed + text + sources,
  }
}

/** Returns the flags of an operation. Flags of the body are not required, because `--data` can have the fields. */
export function flagsOf(operation: Operation): Record<string, Flag> {
  const { query, body, shape, method, file, ifMatch } = operation
  const named = (parameters: readonly Parameter[], isQuery: boolean) =>
    parameters.map((parameter) => [flagOf(parameter), flagFor(parameter, isQuery)] as const)
  const flags: Record<string, Flag> = Object.fromEntries([...named(body ?? [], false), ...named(query, true)])
  const add = (name: string, flag: Flag, isWanted: boolean) => {
    if (isWanted) flags[name] ??= flag
  }
  add(
    'file',
    { value: 'path', text: 'The CSV file or spreadsheet to send. `-`: standard input.' },
    file === true,
  )
  add('data', { value: 'json', text: 'The body as JSON, `@file`, or `-` for standard input.' }, body !== null)
  const set = 'Sets a field of the body, such as `custom.plan=pro` or `city=null`.'
  add('set', { value: 'member=value', many: true, text: set }, body !== null && !file)
  const setFile = 'Sets a field of the body to the text of a file.'
  add('set-file', { value: 'member=path', many: true, text: setFile }, body !== null && !file)
  add(
    'if-match',
    { value: 'version', text: 'Refuse if the object has changed since this version.' },
    ifMatch === true,
  )
  const key = 'Repeated requests with the same key take effect once. By default a new key.'
  add('idempotency-key', { value: 'text', text: key }, method === 'POST')
  add('dry-run', { text: 'Prints the request without the API key, and sends nothing.' }, method !== 'GET')
  if (shape === 'page') {
    flags.limit = { value: 'number', text: 'The number of items to print; 25 by default.' }
    flags.all = { text: 'Prints all items, page by page.' }
  }
  return flags
}
