import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, importsOf } from './support/imports.ts'

// The imports that docs/architecture.md allows. To allow one more, change this list.

/** The other folders that each folder of `src/` may import. */
const mayImport: Record<string, string[]> = {
  csv: [],
  normalize: [],
  events: ['auth'],
  orgs: ['events', 'normalize'],
  members: ['auth', 'connected-apps', 'events', 'normalize', 'orgs', 'owners', 'tasks'],
  agencies: ['auth', 'csv', 'events', 'orgs', 'sandboxes', 'usage'],
  keys: ['auth', 'events', 'orgs'],
  approvals: ['auth', 'connected-apps', 'events'],
  mcp: ['approvals', 'auth', 'connected-apps'],
  'connected-apps': ['auth', 'events'],
  oauth: ['auth', 'connected-apps'],
  activity: ['auth', 'events', 'tracking'],
  auth: [],
  matching: ['normalize'],
  records: ['csv', 'events', 'matching', 'normalize'],
  contacts: ['auth', 'companies', 'normalize', 'records', 'voice'],
  companies: ['normalize', 'records'],
  'close-reasons': ['auth', 'events'],
  fields: ['auth', 'events', 'imports', 'matching', 'records', 'segments'],
  notes: ['events', 'records'],
  tasks: ['auth', 'events', 'records'],
  owners: ['auth', 'companies', 'contacts', 'deals', 'records'],
  'bulk-changes': ['auth', 'events', 'matching', 'records', 'segments'],
  segments: ['auth', 'companies', 'contacts', 'deals', 'events', 'matching', 'records'],
  deals: ['close-reasons', 'events', 'records'],
  imports: ['auth', 'companies', 'contacts', 'csv', 'events', 'normalize', 'orgs', 'records'],
  duplicates: ['auth', 'companies', 'contacts', 'deals', 'events', 'matching', 'normalize', 'records'],
  personas: ['events'],
  tracking: [
    ...['auth', 'companies', 'contacts', 'duplicates', 'events', 'normalize', 'orgs', 'records', 'voice'],
  ],
  usage: [],
  voice: ['csv', 'events', 'normalize', 'orgs', 'personas', 'records'],
  'crm-sync': ['auth', 'contacts', 'events', 'records'],
  signatures: ['events', 'normalize', 'personas', 'records'],
  demo: [
    ...['close-reasons', 'companies', 'contacts', 'crm-sync', 'deals', 'duplicates', 'fields', 'imports'],
    ...['keys', 'members', 'notes', 'orgs', 'personas', 'records', 'segments', 'signatures', 'tasks'],
    ...['tracking', 'voice'],
  ],
  sandboxes: ['auth', 'demo', 'events', 'keys', 'orgs'],
  guides: [],
  console: ['auth'],
  webhooks: ['auth', 'events'],
  cli: [
    ...['auth', 'companies', 'contacts', 'csv', 'duplicates', 'imports', 'keys', 'matching', 'members'],
    ...['normalize', 'orgs', 'records', 'voice', 'webhooks'],
  ],
}

/** The programs that start the features: the server at the top of `src/`, and the operator's command. */
const isProgram = (path: string) => folderOf(path) === '' || folderOf(path) === 'cli'

/** Endpoints may be in files named routes.ts, and in folders named endpoints (one file for each endpoint). */
const mayMakeEndpoints = (path: string) => /(^|\/)(routes\.ts$|endpoints\/)/.test(path)

/** Files that may contain SQL: the files of the lower folders, and the features' files that are named after nouns. */
const mayHoldSql = (path: string) =>
  /^platform\/((db|setup|jobs|secrets)\/|page\.ts$|idempotency\/stored-answers\.ts$)/.test(path) ||
  (folderOf(path) in mayImport &&
    !/^(csv|normalize|demo|cli)\//.test(path) &&
    !/^(routes|schema)\.ts$/.test(basename(path)))

const files = filesBelow('src')
const sources = files.filter((path) => !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))
const textOf = (path: string) => readFileSync(join('src', path), 'utf8')
const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')
const imports = sources.flatMap((path) => importsOf(path))
const across = imports.filter(({ from, to }) => folderOf(from) !== folderOf(to))

/** A source without its comments. */
const codeOf = (path: string) => textOf(path).replaceAll(/\/\*.*?\*\/|(?<![:'"`])\/\/[^\n]*/gs, '')

/** The string literals in a source, except in comments. */
function stringsOf(path: string): string[] {
  return codeOf(path).match(/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/gs) ?? []
}

const found = (paths: string[], pattern: RegExp) => paths.filter((path) => pattern.test(textOf(path)))

describe('imports', () => {
  test('the imports of all sources are found', () => {
    expect(imports.length).toBeGreaterThan(200)
    expect(imports.filter(({ to }) => !existsSync(join('src', to)))).toEqual([])
  })

  test('platform imports no feature', () => {
    expect(across.filter(({ from }) => folderOf(from) === 'platform')).toEqual([])
  })

  test('each folder imports exactly the folders that mayImport lists', () => {
    const edges = Object.fromEntries<string[]>(Object.keys(mayImport).map((name) => [name, []]))
    for (const { from, to } of across) {
      const [folder, target] = [folderOf(from), folderOf(to)]
      if (folder === '' || target === 'platform' || target === '') continue
      edges[folder] = [...new Set([...(edges[folder] ?? []), target])].sort()
    }
    expect(edges).toEqual(mayImport)
  })

  test('the allowed imports of folders form no cycle', () => {
    const below = (name: string, path: string[]): void => {
      expect(path, 'a circle').not.toContain(name)
      for (const next of mayImport[name]!) below(next, [...path, name])
    }
    for (const name of Object.keys(mayImport)) below(name, [])
  })

  test.each<[root: string, atLeast: number]>([
    ['src', 30],
    ['test', 30],
    ['bench', 30],
    ['sdk/src', 15],
    ['sdk-browser/src', 10],
    ['cli/src', 20],
    ['console/src', 30],
  ])('no file of %s imports itself through others or types', (root, atLeast) => {
    const below = root === 'src' ? sources : filesBelow(root)
    const importedBy = Map.groupBy(
      below.flatMap((path) => importsOf(path, root)),
      ({ from }) => from,
    )
    const done = new Set<string>()
    const walk = (file: string, path: string[]): void => {
      expect(path, 'a circle').not.toContain(file)
      if (done.has(file)) return
      for (const { to } of importedBy.get(file) ?? []) walk(to, [...path, file])
      done.add(file)
    }
    for (const file of below) walk(file, [])
    expect(done.size).toBeGreaterThan(atLeast)
  })

  test.each(['src', 'test', 'bench', 'console/src', 'cli/src'])(
    'no two sibling folders of %s import each other',
    (root) => {
      const edges = new Set<string>()
      for (const { from, to } of (root === 'src' ? sources : filesBelow(root)).flatMap((path) =>
        importsOf(path, root),
      )) {
        const [one, other] = [from.split('/'), to.split('/')]
        const at = one.findIndex((name, index) => name !== other[index])
        // Compare folders only: a file at the top of a folder may import every folder below it.
        if (at < one.length - 1 && at < other.length - 1) {
          const parent = one.slice(0, at).join('/')
          edges.add([parent, one[at], other[at]].join(':'))
        }
      }
      const isMutual = (edge: string) => {
        const [parent, one, other] = edge.split(':')
        return edges.has([parent, other, one].join(':'))
      }
      expect(edges.size).toBeGreaterThan(3)
      expect([...edges].filter(isMutual)).toEqual([])
    },
  )

  test('matching imports no database, no request and no record type', () => {
    const within = imports.filter(({ from }) => from.startsWith('matching/'))
    expect(within.length).toBeGreaterThan(20)
    expect(within.filter(({ to }) => !/^(matching|normalize)\//.test(to))).toEqual([])
  })

  test('the folders of duplicates import in one direction: checks, scans, engine, merge', () => {
    const order = ['checks', 'scans', 'engine', 'merge']
    const rankOf = (path: string) => order.indexOf(path.split('/')[1] ?? '')
    const within = imports.filter(
      ({ from, to }) => folderOf(from) === 'duplicates' && rankOf(from) >= 0 && rankOf(to) >= 0,
    )
    expect(within.length).toBeGreaterThan(40)
    expect(within.filter(({ from, to }) => rankOf(from) > rankOf(to))).toEqual([])
  })

  test('no feature imports a program', () => {
    const upward = across.filter(({ from, to }) => isProgram(to) && !isProgram(from))
    expect(imports.filter(({ to }) => isProgram(to)).length).toBeGreaterThan(10)
    expect(upward).toEqual([])
  })

  test('only three files of programs run work across orgs; features get the handle as a parameter', () => {
    const users = imports.filter(({ to, typeOnly }) => to === 'platform/db/system.ts' && !typeOnly)
    expect(users.map(({ from }) => from).sort()).toEqual(['app.ts', 'cli/command.ts', 'greeting.ts'])
    const around = sources.filter((path) => /\bsystemScope\(/.test(textOf(path)))
    expect(around).toEqual(['platform/db/database.ts', 'platform/db/system.ts'])
  })

  test('endpoints are defined in routes.ts and in folders named endpoints', () => {
    const makers = imports.filter(
      ({ from, to, typeOnly }) =>
        to === 'platform/http/endpoint.ts' && !typeOnly && folderOf(from) !== 'platform',
    )
    expect(makers.length).toBeGreaterThan(3)
    expect(makers.map(({ from }) => from).filter((from) => !mayMakeEndpoints(from))).toEqual([])
  })
})

describe('files', () => {
  test('only src/platform and files named after nouns contain SQL', () => {
    const sql = /\b(?:select\s.*\bfrom|insert\s+into|update\s+\S+\s.*\bset|delete\s+from)\s/is
    const holders = sources.filter((path) => stringsOf(path).some((text) => sql.test(text)))
    expect(holders.length).toBeGreaterThan(10)
    expect(holders.filter((path) => !mayHoldSql(path))).toEqual([])
    const builders = found(sources, /db\/(sql|statement)\.ts'/)
    expect(builders.filter((path) => !mayHoldSql(path))).toEqual([])
  })

  test('statements are written with the sql tag; only platform/db passes a text with its values', () => {
    const plain = found(sources, /\{\s*(?:name\b[^;]*?,\s*)?text(?:\s*:[^;]*?)?,\s*values\b/s)
    expect(plain.length).toBeGreaterThan(0)
    expect(plain.filter((path) => !path.startsWith('platform/db/'))).toEqual([])
    const numbered = sources.filter((path) =>
      stringsOf(path).some((text) => /\b(select|insert|update|delete|where)\b.*\$[1-9]\b/s.test(text)),
    )
    const mayNumber = /^(platform\/(db|setup|secrets)\/|duplicates\/match-key-versions\.ts$)/
    expect(numbered.filter((path) => !mayNumber.test(path))).toEqual([])
  })

  test('only the job engine knows pg-boss and its tables', () => {
    const knowing = sources.filter((path) => stringsOf(path).some((text) => /pgboss|pg-boss/.test(text)))
    expect(knowing.length).toBeGreaterThan(1)
    expect(knowing.filter((path) => !path.startsWith('platform/jobs/engine/'))).toEqual([])
  })

  test('only platform/config.ts reads the environment', () => {
    // Its sample programs read the environment of their users.
    const samples = 'platform/http/code-sample-typescript.ts'
    expect(found(sources, /\bprocess\.env\b/)).toEqual(['platform/config.ts', samples])
  })

  test('each file name says what the file contains, and no file re-exports all of another file', () => {
    const empty = /(^|[/-])(index|utils?|helpers?|common|shared|misc|services?|managers?|types)([/.-]|$)/
    expect(files.filter((path) => empty.test(path))).toEqual([])
    expect(files.filter((path) => path !== path.toLowerCase() || path.includes('_'))).toEqual([])
    expect(found(sources, /^export \* from/m)).toEqual([])
  })

  test('no source file has more than 300 lines', () => {
    const own = filesBelow('cli/src').map((path) => `../cli/src/${path}`)
    const written = [...files, ...own].filter(
      (path) => !/^platform\/db\/tables\.ts$|\/generated\//.test(path),
    )
    const lengths = written.map((path) => [path, textOf(path).split('\n').length - 1] as const)
    expect(lengths.filter(([, lines]) => lines > 300)).toEqual([])
  })

  test('no file contains the type `any`, an open task or a default export', () => {
    const typed = /[:<|&(,]\s*any\b(?!\()|\bas any\b|\bany\[\]/
    expect(sources.filter((path) => typed.test(codeOf(path)))).toEqual([])
    expect(found(files, /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|expect-error|nocheck)/)).toEqual([])
    expect(found(sources, /^export default/m)).toEqual([])
  })
})

describe('sdk/ and cli/', () => {
  const outward = (root: string) =>
    filesBelow(root)
      .flatMap((path) => importsOf(path, root))
      .filter(({ to }) => !existsSync(join(root, to)) || to.startsWith('..'))

  test('the SDK imports nothing outside its folder, the command imports only the SDK, and the server imports neither', () => {
    expect(outward('sdk/src')).toEqual([])
    const entry = /^\.\.\/\.\.\/sdk\/src\/(main|node|webhooks)\.ts$/
    expect(outward('cli/src').length).toBeGreaterThan(3)
    expect(outward('cli/src').filter(({ to }) => !entry.test(to))).toEqual([])
    expect(imports.filter(({ to }) => /(^|\/)(sdk|\.\.\/cli)\//.test(to))).toEqual([])
  })
})

describe('tests and benches', () => {
  test('no file of tests has more than 300 lines', () => {
    const lengths = filesBelow('test').map((path) => {
      const lines = readFileSync(join('test', path), 'utf8').split('\n').length - 1
      return [path, lines] as const
    })
    expect(lengths.length).toBeGreaterThan(200)
    expect(lengths.filter(([, lines]) => lines > 300)).toEqual([])
  })

  test('each feature has its folders of tests and benches, which share code only through support/', () => {
    expect(filesBelow('test').filter((path) => folderOf(path) === '')).toEqual(['architecture.test.ts'])
    expect(filesBelow('bench').filter((path) => folderOf(path) === '')).toEqual([])
    for (const root of ['test', 'bench']) {
      const across = filesBelow(root)
        .flatMap((path) => importsOf(path, root))
        .filter(({ from, to }) => folderOf(from) !== folderOf(to) && !to.startsWith('..'))
      expect(across.length).toBeGreaterThan(20)
      const mayUse = ['support', 'fixtures']
      expect(across.filter(({ to }) => !mayUse.includes(folderOf(to)))).toEqual([])
    }
  })
})
