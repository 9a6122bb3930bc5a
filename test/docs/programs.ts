import { writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../../src/platform/config.ts'
import { pageNamed } from '../support/markdown.ts'
import { Child, type Ended, fileNamed } from '../support/processes.ts'

/** The source of each entry of the SDK. */
export const entries = { '@crosswalk/sdk': 'sdk/src/main.ts', '@crosswalk/sdk/node': 'sdk/src/node.ts' }

/** All `ts` blocks of a page as one program. */
export const programOf = (page: string): string =>
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

/**
 * Runs the program of a page, with the SDK of this repository, in a folder with `people.csv`.
 * @param token the API key that the program gets
 */
export async function runProgram(page: string, { address, token }: Client): Promise<Ended> {
  const file = fileNamed(`${page.replaceAll(/\W/g, '-')}.ts`)
  const rows = Array.from({ length: 20 }, (_, n) => `Grace,Number ${n},grace${n}@example.com`)
  writeFileSync(join(dirname(file), 'people.csv'), `First name,Last name,Mail\n${rows.join('\n')}\n`)
  writeFileSync(file, `process.chdir(${JSON.stringify(dirname(file))})\n${ownProgramOf(page)}`)
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
