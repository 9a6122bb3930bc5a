import { text as textOfStream } from 'node:stream/consumers'
import { UsageError } from '../exit.ts'
import { fileText } from '../file-text.ts'
import type { Values } from '../flag.ts'
import type { Io } from '../io.ts'
import type { Operation, Parameter } from './operation.ts'
import { parsedJson, parsedValue } from './values.ts'

/** The flag of a parameter, without the dashes. */
export const flagOf = ({ name }: Pick<Parameter, 'name'>): string => name.replaceAll('_', '-')

/** The JSON body of an operation: `--data`, then its flags, then `--set` and `--set-file`. @throws UsageError */
export async function bodyOf(operation: Operation, values: Values, io: Io): Promise<unknown> {
  if (operation.body === null) return undefined
  const data = values.data === undefined ? {} : parsedJson('--data', await contentOf(String(values.data), io))
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    if (
      Object.keys(values).some(
        (name) => name === 'set' || operation.body?.some((one) => flagOf(one) === name),
      )
    )
      throw new UsageError('--data must be a JSON object, if other flags change its members.')
    return data
  }
  const body: Record<string, unknown> = { ...data }
  for (const parameter of operation.body) {
    const given = values[flagOf(parameter)]
    if (given === undefined) continue
    // Other users can read a command line, so credentials can come from a file.
    const content = parameter.kind === 'json' ? await contentOf(String(given), io) : given
    body[parameter.name] = parsedValue(parameter, content)
  }
  for (const set of (values.set as string[] | undefined) ?? []) put(body, set, '--set', looseValue)
  for (const set of (values['set-file'] as string[] | undefined) ?? []) put(body, set, '--set-file', fileText)
  return body
}

/** Returns the parameters of the query. */
export function queryOf(operation: Operation, values: Values): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  for (const parameter of operation.query) {
    const given = values[flagOf(parameter)]
    if (given === undefined) continue
    const value = parsedValue(parameter, given)
    query[parameter.name] = typeof value === 'object' ? JSON.stringify(value) : value
  }
  if (operation.filters)
    for (const [name, value] of Object.entries(values)) {
      if (name.startsWith('custom.')) query[name] ??= value
      const [, flag, op] = /^([\w-]+)\[(\w+)\]$/.exec(name) ?? []
      if (flag !== undefined)
        query[`${flag.replaceAll('-', '_')}[${op}]`] ??= operandOf(operation, name, value)
    }
  return query
}

/** The server gets numbers for times: `--created-at[gte] 2026-11-26`. Other values are texts, which the server reads. */
function operandOf({ query }: Operation, name: string, value: Values[string]): unknown {
  const [flag] = name.split('[')
  const parameter = query.find((one) => flagOf(one) === flag?.replaceAll('_', '-'))
  if (parameter?.kind !== 'day' || /\[(in|is_null)\]$/.test(name)) return value
  return parsedValue({ ...parameter, name }, value ?? '')
}

/** A text, the content of `@file`, or standard input for `-`. @throws UsageError */
async function contentOf(given: string, io: Io): Promise<string> {
  if (given === '-' || given === '@-') return textOfStream(io.stdin)
  return given.startsWith('@') ? fileText(given.slice(1)) : given
}

/** Parses a text as JSON, or returns the text itself if it is not JSON: `--set custom.plan=pro`, `--set city=null`. */
function looseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function put(
  body: Record<string, unknown>,
  set: string,
  flag: string,
  read: (text: string) => unknown,
): void {
  const at = set.indexOf('=')
  if (at < 1)
    throw new UsageError(`${flag} needs a member and a value, such as ${flag} custom.plan=…, not "${set}".`)
  const path = set.slice(0, at).split('.')
  const last = path.pop() ?? ''
  let inner = body
  for (const name of path) {
    if (typeof inner[name] !== 'object' || inner[name] === null) inner[name] = {}
    inner = inner[name] as Record<string, unknown>
  }
  inner[last] = read(set.slice(at + 1))
}
