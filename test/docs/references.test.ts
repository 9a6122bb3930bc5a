import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { consoleDocument } from '../../src/console-document.ts'
import { eventTypes } from '../../src/events/catalog.ts'
import { eventData } from '../../src/events/samples.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { allowedTags } from '../../src/signatures/compile/engine.ts'
import { allowedFilters } from '../../src/signatures/compile/filters.ts'
import { wirePaths } from '../../src/tracking/wire/paths.ts'
import { pageNamed, pages, spansOf } from '../support/markdown.ts'

const spans = pages.flatMap((page) => spansOf(page).map((span) => ({ span, where: page.file })))
const source = globSync('{src,scripts,deploy}/**/*.{ts,mjs,lua}', { cwd: projectRoot })
  .map((file) => readFileSync(join(projectRoot, file), 'utf8'))
  .join('\n')
const files = globSync('{src,sdk/src,console/src,test,bench,scripts,docs,migrations,deploy}/**/*', {
  cwd: projectRoot,
}).concat(globSync('{,console/}*.ts', { cwd: projectRoot }))

/** Lists `where: what` of the entries for which `isTrue` is false. */
function faults<T extends { where: string }>(
  found: T[],
  say: (one: T) => string,
  isTrue: (one: T) => boolean,
) {
  return found.filter((one) => !isTrue(one)).map((one) => `${one.where}: ${say(one)}`)
}

test('every endpoint that the docs name exists', () => {
  const shape = (path: string) => path.replace(/[?#].*/, '').replaceAll(/[{<][^}>]*[}>]|…|\b\d+\b/g, '{}')
  const known = [
    ...endpoints.map(({ method, path }) => `${method} ${shape(path)}`),
    ...wirePaths.map(({ path }) => `POST ${path}`),
    ...Object.entries(consoleDocument().paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} /console/api${shape(path)}`),
    ),
    ...['GET /v1/projects/{}/settings', 'GET /sourceConfig/'],
    ...['GET /f/{}/definition', 'POST /f/{}/submissions'],
    ...['v1.js', 'v1.mjs', 'forms-v1.js', '{}.{}.{}.js', '{}.{}.{}.mjs', 'integrity.json'].map(
      (file) => `GET /sdk/${file}`,
    ),
  ]
  const named = spans.flatMap(({ span, where }) => {
    const match = /^(GET|POST|PUT|PATCH|DELETE) (\/[^ ]*)/.exec(span)
    return match ? [{ where, method: match[1]!, path: shape(match[2]!.replace(/^\/api\/v1/, '')) }] : []
  })
  expect(named.length).toBeGreaterThan(50)
  // Addresses of Twilio and Vapi, and of the tool server, not of this API.
  const elsewhere = /^POST \/(mcp(\/|$)|2010|\{\}-|call$|hooks\/)/
  // A page about one feature may name paths without their beginning.
  const isKnown = ({ method, path }: (typeof named)[number]) =>
    elsewhere.test(`${method} ${path}`) ||
    known.some((one) => one.startsWith(`${method} `) && one.endsWith(path))
  expect(faults(named, ({ method, path }) => `${method} ${path}`, isKnown)).toEqual([])
})

test('bodies that the docs show with an endpoint are accepted', () => {
  const shown = spans.flatMap(({ span, where }) => {
    const match = /^(POST|PUT|PATCH) (\/\S+) (\{"[^…<]*\})$/.exec(span)
    return match ? [{ where, span, method: match[1]!, path: match[2]!, body: JSON.parse(match[3]!) }] : []
  })
  expect(shown).not.toEqual([])
  const accepted = ({ method, path, body }: (typeof shown)[number]) =>
    endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path)?.body?.safeParse(body)
      .success === true
  expect(faults(shown, ({ span }) => span, accepted)).toEqual([])
})

test('npm scripts that the docs name exist', () => {
  const scriptsOf = (file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8')).scripts
  const scripts = { ...scriptsOf('package.json'), ...scriptsOf('console/package.json') }
  const named = pages.flatMap(({ text, file }) =>
    [...text.matchAll(/\bnpm (start|test|run (?:--silent )?([a-z:]+))/g)].map(([, start, name]) => ({
      name: name ?? start!,
      where: file,
    })),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(
    faults(
      named,
      ({ name }) => name,
      ({ name }) => name in scripts,
    ),
  ).toEqual([])
})

const help = execFileSync(process.execPath, [join(projectRoot, 'src/cli.ts'), 'help'], { encoding: 'utf8' })

test("operators' commands and their options in the docs exist", () => {
  const named = pages.flatMap(({ text, file }) =>
    [...text.matchAll(/\bcrosswalk -- ([^`\n]+)/g)].map(([, line]) => ({ line: line!, where: file })),
  )
  expect(named.length).toBeGreaterThan(10)
  const usages = [...help.matchAll(/^ {2}(\S.*(?:\n {6}\[.*)*)$/gm)].map(([, usage]) =>
    usage!.replaceAll(/\n {6}/g, ' '),
  )
  const isThere = ({ line }: (typeof named)[number]) => {
    const usage = usages.find((one) => line.startsWith(one.replace(/ [<[].*/, '')))
    const options = [...line.matchAll(/--[a-z-]+/g)].flatMap(([option]) =>
      option === '--json' ? [] : [option],
    )
    return line === 'help' || (usage !== undefined && options.every((option) => usage.includes(option)))
  }
  expect(faults(named, ({ line }) => line, isThere)).toEqual([])
})

test("operators' commands are in the docs", () => {
  const names = [...help.matchAll(/^ {2}(\S.*)$/gm)].map(([, usage]) => usage!.replace(/ [<[].*/, ''))
  const written = pages.map(({ text }) => text).join('\n')
  // `npm start` runs `serve`, and `worker` sets ROLE=worker.
  const undocumented = names.filter((name) => !written.includes(`crosswalk -- ${name}`))
  expect(undocumented).toEqual(['serve', 'worker'])
})

test('docs/reference/events.md names the fields of `data` for every type of event', () => {
  const section = /\n## Data\n([\s\S]*?)(?=\n## |$)/.exec(pageNamed('docs/reference/events.md').text)![1]!
  const rows = [...section.matchAll(/^\| (`.*) \| (`.*) \|$/gm)]
  const named = rows.flatMap(([, types, data]) => {
    const members = [...data!.matchAll(/`(\w+)\??`/g)].map(([, name]) => name!)
    return [...types!.matchAll(/`([\w.]+)`/g)].map(([, type]) => [type!, members.toSorted()] as const)
  })
  const listed = [...eventData].map(([type, members]) => [type, members.toSorted()] as const)
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(listed))
  expect(named).toHaveLength(eventData.size)
})

test('docs/reference/events.md names exactly the existing types of events', () => {
  const section = /\n## Types\n([\s\S]*?)(?=\n## |$)/.exec(pageNamed('docs/reference/events.md').text)![1]!
  // In a table, `\|` stands for `|` in a code span.
  const named = [...section.replaceAll('\\|', '|').matchAll(/`([a-z_]+)\.([a-z_|]+)`/g)].flatMap(
    ([, noun, verbs]) => verbs!.split('|').map((verb) => `${noun}.${verb}`),
  )
  expect(named.toSorted()).toEqual(eventTypes.toSorted())
})

test('every metric that the docs name exists', () => {
  const named = pages.flatMap(({ text, file }) =>
    [...text.matchAll(/\bcrosswalk_[a-z_]+[a-z]\b/g)].map(([name]) => ({ name, where: file })),
  )
  expect(
    faults(
      named,
      ({ name }) => name,
      // A histogram also has the series `_count`.
      ({ name }) => source.includes(`'${name.replace(/_count$/, '')}'`),
    ),
  ).toEqual([])
})

test('the docs name exactly the settings that Crosswalk reads', () => {
  const table = pageNamed('docs/reference/settings.md').text
  const described = [...table.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!),
  )
  const config = readFileSync(join(projectRoot, 'src/platform/config.ts'), 'utf8')
  const read = [...config.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name!)
  expect(described.toSorted()).toEqual(read.toSorted())
})

test('links in the docs have a target', () => {
  const anchorsOf = (text: string) =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )
  const links = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => ({ where: file, link: link! })),
  )
  expect(links.length).toBeGreaterThan(30)
  const leads = ({ where, link }: (typeof links)[number]) => {
    const [path, anchor] = link.split('#')
    const target = path === '' ? where : join(dirname(where), path!)
    if (!existsSync(join(projectRoot, target))) return false
    return anchor === undefined || anchorsOf(readFileSync(join(projectRoot, target), 'utf8')).includes(anchor)
  }
  expect(faults(links, ({ link }) => link, leads)).toEqual([])
})

test('each guide ends with a link to the next guide', () => {
  const guides = pages.filter(({ file }) => file.startsWith('docs/guides/'))
  expect(guides.length).toBeGreaterThan(30)
  const ends = guides.filter(({ text }) => !/\nNext: [^\n]*(?:\n[^\n]+)*\([a-z-]+\.md\)[^\n]*\n$/.test(text))
  expect(ends.map(({ file }) => file)).toEqual([])
})

test('files that the docs name exist', () => {
  const named = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/(?<![\w/.<{-])((?:[\w-]+\/)*[\w.-]+\.(?:ts|mjs|sql|lua))\b/g)].map(([, name]) => ({
      where: file,
      name: name!,
    })),
  )
  expect(
    faults(
      named,
      ({ name }) => name,
      // `.long.test.ts` is the ending of a name.
      ({ name }) => files.some((path) => `/${path}`.endsWith(name.startsWith('.') ? name : `/${name}`)),
    ),
  ).toEqual([])
})

test('docs/reference/signatures.md names exactly the existing filters and tags of templates', () => {
  const namesAfter = (title: string) =>
    new RegExp(`\\*\\*${title}\\*\\*:\\s([^.]*)\\.`)
      .exec(pageNamed('docs/reference/signatures.md').text)![1]!
      .replaceAll(/\n+- [a-z ]+: /g, ', ')
      .replace(/^, /, '')
      .split(/,\s/)
  expect(namesAfter('Filters').toSorted()).toEqual(allowedFilters.toSorted())
  const tags = namesAfter('Tags').map((name) => name.replace(/ \(.*/s, ''))
  expect(tags.filter((name) => !allowedTags.includes(name))).toEqual([])
})
