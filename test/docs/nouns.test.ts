import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventTypes } from '../../src/events/catalog.ts'
import { tools } from '../../src/mcp/catalog.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { pageNamed } from '../support/markdown.ts'

const { text } = pageNamed('docs/reference/nouns.md')
const rows = [...text.matchAll(/^\| \[.*\|$/gm)].map(([row]) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()),
)
const codesOf = (column: number) =>
  rows.flatMap((cells) => [...cells[column]!.matchAll(/`([^`]+)`/g)].map(([, code]) => code!))
const [api, sdk, events, named, shown] = [1, 2, 3, 4]
  .map(codesOf)
  .concat([rows.flatMap((cells) => (cells[5] === '' ? [] : cells[5]!.split(', ')))]) as [
  string[],
  string[],
  string[],
  string[],
  string[],
]

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8')
/** The lines of `sdk/methods.txt`, each with a method and an endpoint. */
const methods = read('sdk/methods.txt').trim().split('\n')
const objects = methods.map((line) => line.slice(0, line.lastIndexOf('.', line.indexOf(' '))))

/** Whether a part of `name` that ends before a separator is listed. */
const isCovered = (listed: string[], name: string, separator: string) =>
  listed.some((each) => name === each || name.startsWith(each + separator))

describe('the table of nouns', () => {
  test('each path of the API begins with a path of the table, and each path of the table exists', () => {
    const paths = Object.keys(JSON.parse(read('openapi.json')).paths)
    expect(paths.filter((path) => !isCovered(api, path, '/'))).toEqual([])
    expect(api.filter((each) => !paths.some((path) => isCovered([each], path, '/')))).toEqual([])
  })

  test('each object of the SDK and each command is in the table, and the table names no others', () => {
    const help = execFileSync(process.execPath, [join(projectRoot, 'cli/src/main.ts'), 'help'], {
      encoding: 'utf8',
    })
    const own = [
      ...help.split('\nEvery operation')[0]!.matchAll(/^ {2}([a-z]+(?: [a-z]+)*)(?: [<[]| {2})/gm),
    ].map(([, command]) => command!)
    const commands = own.filter((command) => !['api', 'completion', 'admin'].includes(command))
    expect(commands.length).toBeGreaterThan(10)
    expect(objects.filter((object) => !isCovered(sdk, object, '.'))).toEqual([])
    expect(commands.filter((command) => !isCovered(sdk, command, ' '))).toEqual([])
    const known = [...objects, ...commands]
    expect(sdk.filter((each) => !known.some((name) => isCovered([each], name, '.')))).toEqual([])
  })

  test('the first part of each type of event is in the table, and the table names no others', () => {
    const nouns = new Set(eventTypes.map((type) => type.replace(/\..*/, '')))
    expect([...new Set(events)].toSorted()).toEqual([...nouns].toSorted())
  })

  test('the table has each tool once', () => {
    expect(named.toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
  })

  test('each page of the console is in the table, and the table names no others', () => {
    // The console has packages of its own, so this test reads the source.
    const [work, settings] = read('console/src/shell/pages.ts').split('settingsPages')
    const namesIn = (source: string) => [...source.matchAll(/name: '([^']+)'/g)].map(([, name]) => name!)
    const names = [...namesIn(work!), ...namesIn(settings!).map((name) => `*${name}*`)]
    expect(names.length).toBeGreaterThan(20)
    expect([...new Set(shown)].toSorted()).toEqual(names.toSorted())
  })
})
