import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { type OutputOptions, rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/config.ts'
import { cleanUp, fileNamed } from '../support/processes.ts'

const folder = fileNamed('sdk-user')
const installed = join(folder, 'node_modules/@crosswalk/sdk')
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** The machine's PATH without node_modules. */
const path = (process.env.PATH ?? '').split(':').filter((one) => !one.includes('node_modules'))
const installedHere = (command: string) => path.some((one) => existsSync(join(one, command)))
const own = (command: string, ...args: string[]) =>
  execFileSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: path.join(':') },
  })

/** The version of the machine's Node; [0, 0] without one. */
const nodeVersion = (): number[] =>
  installedHere('node')
    ? execFileSync('node', ['--version'], { encoding: 'utf8', env: { PATH: path.join(':') } })
        .slice(1)
        .split('.')
        .map(Number)
    : [0, 0]
const [major = 0, minor = 0] = nodeVersion()
const isSupported = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)

/** Bundles a file of the package with all of its imports. */
async function bundled(file: string, options: OutputOptions): Promise<string> {
  const bundle = await rolldown({ input: join(installed, 'dist', file), platform: 'neutral' })
  const { output } = await bundle.generate(options)
  await bundle.close()
  return output[0].code
}

beforeAll(() => {
  mkdirSync(installed, { recursive: true })
  run('npm', 'pack', join(projectRoot, 'sdk'), '--loglevel=error')
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  run('tar', '-xzf', tarball ?? '', '-C', installed, '--strip-components=1')
})
afterAll(cleanUp)

describe('the packed SDK', () => {
  const entries = ['@crosswalk/sdk', '@crosswalk/sdk/webhooks', '@crosswalk/sdk/node']
  const exported = ['Crosswalk', 'verifyWebhook', 'importFile']
  const imports = `Promise.all(${JSON.stringify(entries)}.map((entry) => import(entry)))`
  const requires = `Promise.resolve(${JSON.stringify(entries)}.map((entry) => require(entry)))`
  const found = (load: string) =>
    `${load}.then((all) => console.log(${JSON.stringify(exported)}.map((name, n) => typeof all[n][name]).join()))`
  const functions = 'function,function,function\n'

  test.each([
    ['import', imports],
    ['require()', requires],
  ])('each entry loads with %s', (_way, load) => {
    expect(run(process.execPath, '-e', found(load))).toBe(functions)
  })

  // A skipped test means that this machine lacks the runtime. docs/decisions/0008-sdk.md says what was tested by
  // hand.
  test.skipIf(!isSupported).each([
    ['import', imports],
    ['require()', requires],
  ])('each entry loads with %s on the Node of the machine', (_way, load) => {
    expect(own('node', '-e', found(load))).toBe(functions)
  })

  test.skipIf(!installedHere('deno'))('each entry loads on the Deno of the machine', () => {
    writeFileSync(join(folder, 'load.mjs'), found(imports))
    expect(own('deno', 'run', '--no-check', '--node-modules-dir=manual', 'load.mjs')).toBe(functions)
  })

  test.skipIf(!installedHere('bun'))('each entry loads on the Bun of the machine', () => {
    expect(own('bun', '-e', found(imports))).toBe(functions)
  })

  test('the packed SDK has types, the license and the page for people, and no tests', () => {
    const files = readdirSync(installed, { recursive: true }).map(String)
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/main.d.ts', 'dist/node.js']))
    expect(files.filter((file) => /test|\.tsbuildinfo|(?<!\.d)\.ts$/.test(file))).toEqual([])
  })

  test('the packed SDK loads in at most 20 ms', () => {
    // Take the least CPU time of the main thread in eight loads, because other processes use the machine too.
    const script = `const from = process.threadCpuUsage()
      import('@crosswalk/sdk').then(() => {
        const { user, system } = process.threadCpuUsage(from)
        console.log((user + system) / 1000)
      })`
    const times = Array.from({ length: 8 }, () => Number(run(process.execPath, '-e', script)))
    expect(Math.min(...times)).toBeLessThan(20)
  })

  test('the client without methods is at most 7.5 kB compressed, and a method adds at most 7 bytes', async () => {
    const sizeOf = (code: string) => gzipSync(code, { level: 9 }).length
    const code = await bundled('main.js', { minify: true })
    const table = /`\nagency\.[^`]+`/.exec(code)?.[0] ?? ''
    const methods = table.split('\n').filter((line) => line.startsWith(' ')).length
    expect(methods).toBeGreaterThan(200)
    const without = sizeOf(code.replace(table, '``'))
    expect(without).toBeLessThan(7.5 * 1024)
    expect(sizeOf(code) - without).toBeLessThan(7 * methods)
  })

  test('the packed SDK runs in a runtime that has only web-standard APIs', async () => {
    const webStandard = [
      'Headers',
      'Response',
      'ReadableStream',
      'Blob',
      'URL',
      'URLSearchParams',
      'AbortController',
    ]
    const more = [
      'crypto',
      'performance',
      'setTimeout',
      'clearTimeout',
      'TextEncoder',
      'TextDecoder',
      'atob',
      'btoa',
    ]
    const names = [...webStandard, ...more] as (keyof typeof globalThis)[]
    const asked: unknown[] = []
    const fetch = async (url: string, init: RequestInit) => {
      asked.push(url, new Headers(init.headers).get('authorization'))
      return Response.json({ data: { contact_id: 'c1' }, pagination: null })
    }
    const context = createContext({
      fetch,
      ...Object.fromEntries(names.map((name) => [name, globalThis[name]])),
    })
    for (const file of ['main.js', 'webhooks.js'])
      runInContext(await bundled(file, { format: 'iife', name: file.replace('.js', '') }), context)
    const apiKey = 'svc_live_x'
    const options = JSON.stringify({ apiKey, baseUrl: 'https://crosswalk.example.com' })
    const created = await runInContext(
      `new main.Crosswalk(${options}).contacts.create({ email: 'a@b.example' })`,
      context,
    )
    expect(created).toEqual({ contact_id: 'c1' })
    expect(asked).toEqual(['https://crosswalk.example.com/api/v1/contacts', `Bearer ${apiKey}`])
    const signed = `webhooks.signWebhook('{}', 'whsec_AAAA', { id: 'm1' })`
    const verified = `${signed}.then((headers) => webhooks.verifyWebhook('{}', headers, 'whsec_AAAA'))`
    expect(await runInContext(verified, context)).toEqual({})
  })

  test('programs in TypeScript get types that pass strict checks of libraries', () => {
    const compiler = join(projectRoot, 'node_modules/.bin/tsc')
    writeFileSync(
      join(folder, 'user.ts'),
      entries.map((entry, n) => `export { ${exported[n]} } from '${entry}'`).join('\n'),
    )
    const strict = '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --target es2022'
    for (const modules of ['--module nodenext', '--module esnext --moduleResolution bundler'])
      run(process.execPath, compiler, ...strict.split(' '), ...modules.split(' '), 'user.ts')
  })
})
