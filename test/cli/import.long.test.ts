import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { type CommandOptions, runCrosswalk, settingsOf } from '../support/crosswalk-command.ts'
import { newDataDir } from '../support/processes.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
let org: TestOrg
const folder = newDataDir()
beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  org = await app.newOrg()
})

const fileOf = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const run = (args: string[], options: CommandOptions = {}) =>
  runCrosswalk(args, { ...options, env: { ...settingsOf(org), ...options.env } })

const people = 'Given name,Mail,Shoe size\nAda,ada@example.com,38\nGrace,grace@example.com,40\n'

test('an import shows the field of each column, and prints the finished import', async () => {
  const { code, stdout, stderr } = await run(['import', 'contacts', fileOf('people.csv', people)])
  expect([code, stderr]).toEqual([
    0,
    'utf-8, separated by ","\n' +
      'Column      Field             First value\n' +
      'Given name  first_name        Ada\n' +
      'Mail        email             ada@example.com\n' +
      'Shoe size   custom:Shoe size  38\n\n',
  ])
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ status: 'succeeded', file_name: 'people.csv', counts: { created: 2, refused: 0 } },
  })
})

test('an import of a file that was imported shortly before says so, unless it updates records by a field', async () => {
  const file = fileOf('again.csv', 'Mail\nagain@example.com\n')
  const note =
    /^A file with this name and size was imported 0 min ago, and that import is succeeded:\n {2}crosswalk imports get [0-9a-f-]{36}$/m
  const ended = [
    await run(['import', 'contacts', file]),
    await run(['import', 'contacts', file, '--match-on', 'email']),
    await run(['import', 'contacts', file, '--dry-run']),
    await run(['import', 'contacts', file]),
  ]
  expect(ended.map(({ code, stderr }) => [code, note.test(stderr)])).toEqual([
    [0, false],
    [0, false],
    [0, false],
    [0, true],
  ])
})

test('without the list of earlier imports, an import begins, unless it is stopped', async () => {
  const stop = new AbortController()
  let stopsAtList = false
  let uploads = 0
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    if (url.startsWith('/api/v1/contacts/imports?')) uploads += 1
    if (url.startsWith('/api/v1/imports?')) {
      if (stopsAtList) return stop.abort()
      outgoing.writeHead(403, { 'content-type': 'application/json' })
      return outgoing.end('{"detail":"no list","code":"permission_missing"}')
    }
    const onward = request(`${app.address}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const args = ['import', 'contacts', fileOf('unlisted.csv', 'Mail\nunlisted@example.com\n')]
  const options = { env: settingsOf({ address, token: org.token }), signal: stop.signal }
  const ended = await run(args, options)
  expect([ended.code, uploads], ended.stderr).toEqual([0, 1])
  stopsAtList = true
  expect([(await run(args, options)).code, uploads]).toEqual([130, 1])
  proxy.close()
  proxy.closeAllConnections()
})

test('on a terminal, an import ends with a report, and saves the refused rows', async () => {
  const file = fileOf('mixed.csv', 'Mail,Consent\nlinus@example.com,yes\nmargaret@example.com,perhaps\n')
  const refused = join(folder, 'refused.csv')
  const ended = await run(
    ['import', 'contacts', file, '--map', 'Consent=consent_email', '--refused', refused],
    { terminal: ['stdout', 'stderr'], env: { NO_COLOR: '1' } },
  )
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(/^Consent {2}consent_email {2}yes$/m)
  expect(ended.stderr).toMatch(/2 rows read: 1 contact created, 1 row refused\.\n {2}validation_failed: 1\n/)
  expect(ended.stderr).toMatch(/^To revert the import:\n {2}crosswalk imports revert [0-9a-f-]{36}$/m)
  expect(readFileSync(refused, 'utf8')).toMatch(/^line,code,reason\r\n3,validation_failed,/)
})

test('an import reads standard input, and a dry run writes nothing', async () => {
  const stdin = 'Mail\nbarbara@example.com\n'
  const dry = await run(['import', 'contacts', '-', '--dry-run'], { stdin })
  expect([dry.code, JSON.parse(dry.stdout).counts.created]).toEqual([0, 1])
  expect((await org.get('/contacts?email=barbara@example.com')).body.data).toEqual([])
  const real = await run(['import', 'contacts', '-', '--match-on', 'email'], { stdin })
  expect(real.code).toBe(0)
  expect((await org.get('/contacts?email=barbara@example.com')).body.data).toHaveLength(1)
})

test.each<[string[], number, RegExp]>([
  [['people', 'x.csv'], 2, /must be contacts or companies/],
  [['contacts', '/nowhere.csv'], 2, /\/nowhere\.csv is unreadable/],
  [['contacts', '/'], 2, /is a folder/],
  [['contacts', '-', '--map', 'email'], 2, /--map Mail=email/],
  [['contacts', '-', '--refused', '/nowhere/refused.csv'], 2, /refused\.csv of --refused cannot be written/],
  [['contacts', '-', '--refused', '/'], 2, /\/ is a folder/],
  [['contacts', '-', '--match-on', 'shoe'], 1, /^ {2}--match-on: /m],
])('the command crosswalk import %j ends with the exit code %i', async (args, code, says) => {
  const ended = await run(['import', ...args], { stdin: people })
  expect(ended).toMatchObject({ code, stdout: '' })
  expect(ended.stderr).toMatch(says)
})

test('an import is refused if the refused rows would replace its file', async () => {
  const file = fileOf('own.csv', people)
  const ended = await run(['import', 'contacts', file, '--refused', file])
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(/would replace .*own\.csv/)])
  expect(readFileSync(file, 'utf8')).toBe(people)
})

test('an import without refused rows leaves no file for them', async () => {
  const refused = join(folder, 'none.csv')
  const ended = await run(['import', 'contacts', '-', '--refused', refused], {
    stdin: 'Mail\nnone@example.com\n',
  })
  expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('Saved')])
  expect(readdirSync(folder).filter((name) => name.startsWith('none'))).toEqual([])
})

test('an import reads a named pipe', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const importing = run(['import', 'contacts', pipe])
  await writeFile(pipe, 'Mail\npipe@example.com\n')
  const { code, stdout } = await importing
  expect([code, JSON.parse(stdout).counts.created]).toEqual([0, 1])
})

test('an import whose connection breaks imports each row once', async () => {
  const own = await app.newOrg()
  // Breaks the first upload in the middle of the file, and the second after the server has answered it.
  let uploads = 0
  const proxy = createServer((incoming, outgoing) => {
    const isUpload = incoming.url?.startsWith('/api/v1/contacts/imports?') ?? false
    const number = isUpload ? ++uploads : 0
    const { method, url, headers } = incoming
    const onward = request(`${app.address}${url}`, { method, headers }, (answer) => {
      if (number === 2) {
        answer.resume().once('end', () => incoming.socket.destroy())
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.once('error', () => incoming.socket.destroy())
    if (number === 1)
      incoming.once('data', () => {
        onward.destroy()
        incoming.socket.destroy()
      })
    else incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  const rows = Array.from({ length: 5000 }, (_, n) => `Number ${n},number${n}@example.com`)
  const file = fileOf('many.csv', `Given name,Mail\n${rows.join('\n')}\n`)
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const env = settingsOf({ address, token: own.token })
  const ended = await runCrosswalk(['import', 'contacts', file], { env })
  proxy.close()
  proxy.closeAllConnections()
  expect(ended.code, ended.stderr).toBe(0)
  expect(uploads).toBe(3)
  expect(JSON.parse(ended.stdout).counts).toMatchObject({ rows_read: 5000, created: 5000, refused: 0 })
  expect((await own.get('/contacts?limit=1')).body.pagination.total).toBe(5000)
  expect(
    (await own.get('/imports')).body.data.filter(({ status }: { status: string }) => status === 'succeeded'),
  ).toHaveLength(1)
  expect(existsSync(file)).toBe(true)
})
