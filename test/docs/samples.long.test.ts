import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { apiDocument } from '../../src/api-document.ts'
import type { CodeSample } from '../../src/platform/http/code-samples.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import type { DocumentOperation, DocumentParameter } from '../../src/platform/http/sdk-arguments.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runCrosswalk, settingsOf, shellWords } from '../support/crosswalk-command.ts'
import { cleanUp, fileNamed } from '../support/processes.ts'
import { everyEndpoint, type Params } from '../support/walk.ts'
import { walkedOrgs } from '../support/walked-orgs.ts'
import { DocsShell } from './console.ts'
import { withOwnSdk } from './programs.ts'

const app = await sharedTestApp()
afterAll(async () => {
  await cleanUp()
  await app.close()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const folder = fileNamed('samples')
mkdirSync(folder, { recursive: true })
// Use one shell for all samples, because a new process takes long to start from this large process.
const shell = new DocsShell(folder, {})
afterAll(() => shell.close())
const { paths } = apiDocument(app.address)

type Described = DocumentOperation & { 'x-codeSamples': CodeSample[] }
const operationOf = ({ method, path }: Endpoint) => paths[path]?.[method.toLowerCase()] as Described

function sampleOf(endpoint: Endpoint, lang: string, params: Params): string {
  const operation = operationOf(endpoint)
  const { source = '' } = operation['x-codeSamples'].find((one) => one.lang === lang) ?? {}
  const ids = operation.parameters
    .filter((one): one is DocumentParameter => 'in' in one && one.in === 'path')
    .map(({ name, example }) => [String(example), params[name] ?? ''] as const)
  const named = Object.entries(params).filter(([name]) => !endpoint.path.includes(`{${name}}`))
  const real = [...ids, ...named].reduce((text, [printed, id]) => text.replaceAll(printed, id), source)
  return real.replaceAll(/\b\w+\.csv\b/g, (name) => {
    const file = join(folder, name)
    if (endpoint.fileExamples?.csv && endpoint.body) writeFileSync(file, endpoint.fileExamples.csv)
    return file
  })
}

type Answered = { status: number; text: string }

const lastLine = /\n?status (\d+)$/
async function runShell(sample: string, { token }: TestOrg): Promise<Answered> {
  const command = sample.replace(/^curl /, `curl -w '\\nstatus %{http_code}' `)
  const stdout = await shell.run(`CROSSWALK_API_KEY=${token}\n${command}`)
  const [, file] = / -o (\S+)$/.exec(sample) ?? []
  const text = file ? readFileSync(file, 'utf8') : stdout.replace(lastLine, '')
  return { status: Number(lastLine.exec(stdout)?.[1]), text }
}

let programs = 0
async function runProgram(sample: string, { token }: TestOrg): Promise<Answered> {
  const file = join(folder, `program-${++programs}.ts`)
  writeFileSync(file, withOwnSdk(sample))
  const answers: Promise<Answered>[] = []
  const send = fetch
  vi.stubEnv('CROSSWALK_API_KEY', token ?? '')
  vi.spyOn(console, 'log').mockReturnValue()
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const response = await send(url, init)
    const { status } = response
    answers.push(
      response
        .clone()
        .text()
        .then((text) => ({ status, text })),
    )
    return response
  })
  await import(pathToFileURL(file).href)
  vi.unstubAllGlobals()
  return (await answers.at(-1)) ?? { status: 0, text: '' }
}

/**
 * The printed answer in the form that the server sends. A command prints only the data. It ends with 1 if the test of a
 * receiver failed: no receiver of the examples exists.
 */
async function runCommand(sample: string, org: TestOrg, { path, shape }: Endpoint): Promise<Answered> {
  const [, ...args] = shellWords(sample)
  const { code, stdout, stderr } = await runCrosswalk(args, { env: settingsOf(org) })
  const isFailedTest = path.endsWith('/test') && code === 1 && stdout !== ''
  if (code !== 0 && !isFailedTest) return { status: 0, text: stderr }
  const isBare = shape === 'bare' || shape === 'file'
  return { status: 200, text: isBare || stdout === '' ? stdout : `{"data":${stdout}}` }
}

/** The fields of an answer and of its data, or the first line of a file. */
function membersOf(text: string): unknown {
  if (!text.startsWith('{')) return text.split('\n')[0]
  const { data, ...others } = JSON.parse(text)
  const [first = {}] = [data ?? {}].flat()
  return [Object.keys(others), Object.keys(first).sort()]
}

/** Like `membersOf`, but without the fields beside `data`, because a command does not print them. */
function dataMembersOf(text: string): unknown {
  const members = membersOf(text)
  return Array.isArray(members) && text.startsWith('{"data"') ? members[1] : members
}

test('every operation has samples with curl, with TypeScript and with the crosswalk command', () => {
  for (const [name, endpoint] of everyEndpoint) {
    const samples = operationOf(endpoint)['x-codeSamples']
    expect([name, ...samples.map(({ label }) => label)]).toEqual([name, 'curl', 'TypeScript', 'crosswalk'])
  }
})

describe('the samples run, and all get the documented answer', () => {
  const walked = walkedOrgs(() => app.newAgency())

  test.each(everyEndpoint)('the samples of %s get the documented answer', async (_name, endpoint) => {
    const answers: Answered[] = []
    for (const [lang, run] of [
      ['shell', runShell],
      ['typescript', runProgram],
    ] as const) {
      const { org, params } = await walked(endpoint, lang)
      answers.push(await run(sampleOf(endpoint, lang, params), org))
    }
    const documented = Object.keys(operationOf(endpoint).responses).filter((status) => status < '300')
    for (const { status, text } of answers) expect(documented, text).toContain(String(status))
    const [curl, typescript] = answers
    expect(membersOf(typescript?.text ?? '')).toEqual(membersOf(curl?.text ?? ''))

    const { org, params } = await walked(endpoint, 'command')
    const sample = sampleOf(endpoint, 'bash', params)
    const command = await runCommand(sample, org, endpoint)
    expect(command, sample).toMatchObject({ status: 200 })
    expect(dataMembersOf(command.text)).toEqual(dataMembersOf(curl?.text ?? ''))
  })
})
