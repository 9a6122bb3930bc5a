import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../../src/platform/config.ts'
import { pageNamed } from '../support/markdown.ts'
import { Child, type Ended, fileNamed } from '../support/processes.ts'

const entries = {
  '@crosswalk/sdk': 'sdk/src/main.ts',
  '@crosswalk/sdk/node': 'sdk/src/node.ts',
  '@crosswalk/sdk/webhooks': 'sdk/src/webhooks.ts',
}

/** All `ts` blocks of a page as one program. */
export const programOf = (page: string): string =>
  pageNamed(page)
    .blocks.filter(({ language }) => language === 'ts')
    .map(({ text }) => text)
    .join('\n')

export const withOwnSdk = (program: string): string =>
  Object.entries(entries).reduce(
    (text, [name, file]) => text.replaceAll(`'${name}'`, `'${pathToFileURL(join(projectRoot, file)).href}'`),
    program,
  )

/** Returns the compiler's errors in these programs; empty if there are none. */
export async function typeErrors(programs: Record<string, string>): Promise<string> {
  const folder = fileNamed('typed')
  mkdirSync(folder, { recursive: true })
  linkPackages(folder)
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, `${name}.ts`), text)
  const paths = Object.fromEntries(
    Object.entries(entries).map(([name, file]) => [name, [join(projectRoot, file)]]),
  )
  const typeRoots = [join(projectRoot, 'node_modules/@types')]
  const compilerOptions = { paths, incremental: false, typeRoots, noUnusedLocals: false }
  const config = { extends: join(projectRoot, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { code, stdout, stderr } = await new Child('node_modules/.bin/tsc', ['-p', folder], {}).ended
  return code === 0 ? '' : stdout + stderr
}

/** Programs in this folder find the packages of the project. */
function linkPackages(folder: string): void {
  const packages = join(folder, 'node_modules')
  if (!existsSync(packages)) symlinkSync(join(projectRoot, 'node_modules'), packages)
}

/** Runs the program of a page in a folder with the page's CSV file. @param token the API key of the program */
export async function runProgram(page: string, { address, token }: Client): Promise<Ended> {
  const file = fileNamed(`${page.replaceAll(/\W/g, '-')}.ts`)
  const printed = pageNamed(page).blocks.find(({ language }) => language === 'csv')
  const rows = Array.from({ length: 20 }, (_, n) => `Grace,Number ${n},grace${n}@example.com`)
  const people = printed?.text ?? `First name,Last name,Mail\n${rows.join('\n')}\n`
  linkPackages(dirname(file))
  writeFileSync(join(dirname(file), 'people.csv'), people)
  writeFileSync(file, `process.chdir(${JSON.stringify(dirname(file))})\n${withOwnSdk(programOf(page))}`)
  const env = { CROSSWALK_URL: address, CROSSWALK_API_KEY: token ?? '' }
  return new Child(relative(projectRoot, file), [], env).ended
}

type Client = { address: string; token: string | null }

/** The lines that the program of a page prints. @throws if it does not end with 0 */
export async function linesOf(page: string, client: Client): Promise<string[]> {
  const { stdout, stderr, code } = await runProgram(page, client)
  if (code !== 0) throw new Error(`${page} ended with ${code}:\n${stderr}`)
  return stdout.trim().split('\n')
}
