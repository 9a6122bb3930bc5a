import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { pageNamed } from '../support/markdown.ts'
import { Child, cleanUp, fileNamed } from '../support/processes.ts'

const app = await startTestApp()
afterAll(async () => {
  await cleanUp()
  await app.close()
})

const entries = { '@crosswalk/sdk': 'sdk/src/main.ts', '@crosswalk/sdk/node': 'sdk/src/node.ts' }

/** All `ts` blocks of a page as one program. */
const programOf = (page: string): string =>
  pageNamed(page)
    .blocks.filter(({ language }) => language === 'ts')
    .map(({ text }) => text)
    .join('\n')

/** The same program with the SDK of this repository. */
const ownProgramOf = (page: string): string =>
  Object.entries(entries).reduce(
    (text, [name, file]) => text.replaceAll(`'${name}'`, `'${pathToFileURL(join(projectRoot, file)).href}'`),
    programOf(page),
  )

/** Runs the program of a page in a folder with `people.csv`. Returns the lines that it printed. */
async function run(page: string, org: TestOrg): Promise<string[]> {
  const file = fileNamed(`${page.replaceAll(/\W/g, '-')}.ts`)
  const rows = Array.from({ length: 20 }, (_, n) => `Grace,Number ${n},grace${n}@example.com`)
  writeFileSync(join(dirname(file), 'people.csv'), `First name,Last name,Mail\n${rows.join('\n')}\n`)
  writeFileSync(file, `process.chdir(${JSON.stringify(dirname(file))})\n${ownProgramOf(page)}`)
  const env = { CROSSWALK_URL: org.address, CROSSWALK_API_KEY: org.token ?? '' }
  const { stdout, stderr, code } = await new Child(relative(projectRoot, file), [], env).ended
  expect(code, stderr).toBe(0)
  return stdout.trim().split('\n')
}

describe('the programs in the docs', () => {
  test('docs/guides/sdk.md prints what it says', async () => {
    const printed = await run('docs/guides/sdk.md', await app.newOrg())
    expect(printed).toEqual([
      '1',
      'ada@example.com true false',
      'ada@example.com',
      '1',
      'version_conflict London',
      expect.stringMatching(/^sent (\d+) of \1 bytes$/),
      'succeeded 20',
      'agency_key_required',
      expect.stringContaining('must have an @-sign'),
    ])
    const exported = readFileSync(join(dirname(fileNamed('x')), 'contacts.csv'), 'utf8')
    expect(exported.trim().split('\n')).toHaveLength(22)
  })

  test('README.md shows a program that runs', async () => {
    const org = await app.newOrg()
    const printed = await run('README.md', org)
    expect(printed.at(-1)).toBe('succeeded 20')
    expect((await org.get('/contacts')).body.pagination.total).toBe(21)
  })

  test('TypeScript accepts them', async () => {
    const folder = fileNamed('typed')
    mkdirSync(folder, { recursive: true })
    for (const [name, page] of Object.entries({ guide: 'docs/guides/sdk.md', readme: 'README.md' }))
      writeFileSync(join(folder, `${name}.ts`), programOf(page))
    const paths = Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, [join(projectRoot, file)]]),
    )
    const compilerOptions = {
      paths,
      incremental: false,
      typeRoots: [join(projectRoot, 'node_modules/@types')],
      noUnusedLocals: false,
    }
    const config = { extends: join(projectRoot, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const compiler = new Child('node_modules/.bin/tsc', ['-p', folder], {})
    expect(await compiler.ended).toMatchObject({ code: 0, stdout: '' })
  })
})
