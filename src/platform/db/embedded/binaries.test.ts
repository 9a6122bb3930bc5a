import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findPackage, placeBinaries, removeOldBinaries } from './binaries.ts'
import { removeTestFolder, testFolder } from './testing.ts'

afterAll(removeTestFolder)

let counter = 0
function newHome(): string {
  const home = join(testFolder, `home-${++counter}`)
  fs.mkdirSync(home)
  return home
}

test('the copied binaries run although no install script made the links between libraries', () => {
  const installed = findPackage()
  const native = join(newHome(), 'native')
  spawnSync('cp', ['-R', installed.native, native])
  for (const path of fs.readdirSync(native, { recursive: true, encoding: 'utf8' })) {
    if (fs.lstatSync(join(native, path)).isSymbolicLink()) fs.rmSync(join(native, path))
  }
  const place = placeBinaries(newHome(), { ...installed, native })
  fs.rmSync(native, { recursive: true })
  const { stdout } = spawnSync(join(place, 'bin/postgres'), ['--version'], {
    env: {},
    cwd: '/',
    encoding: 'utf8',
  })
  expect(stdout).toMatch(new RegExp(`^postgres \\(PostgreSQL\\) ${installed.major}\\.`))
  const names = fs.readdirSync(place, { recursive: true, encoding: 'utf8' })
  expect(names.filter((name) => name.endsWith('.a'))).toEqual([])
})

test('the copy has hard links, except for files that the server’s user could not read or run', () => {
  const native = fakePackage()
  fs.chmodSync(join(native, 'lib/libpq.so.5.18'), 0o600)
  const place = placeBinaries(newHome(), { native, version: '18.4.0', major: '18' })
  expect(inode(place, 'bin/postgres')).toBe(inode(native, 'bin/postgres'))
  expect(inode(place, 'lib/libpq.so.5.18')).not.toBe(inode(native, 'lib/libpq.so.5.18'))
  expect(fs.statSync(join(place, 'lib/libpq.so.5')).mode & 0o777).toBe(0o644)
  expect(fs.statSync(join(native, 'lib/libpq.so.5.18')).mode & 0o777).toBe(0o600)
})

test('an incomplete copy is made again, and the copy of an earlier version is deleted', () => {
  const home = newHome()
  const gone = spawnSync('true').pid
  const unfinished = join(home, `postgresql-18.4.0.tmp-${gone}-0123abcd`)
  const earlier = join(home, 'postgresql-18.3.0')
  for (const dir of [unfinished, earlier]) fs.mkdirSync(dir)
  const binaries = { native: fakePackage(), version: '18.4.0', major: '18' }
  const place = placeBinaries(home, binaries)
  removeOldBinaries(home, binaries)
  expect(fs.readdirSync(home)).toEqual(['postgresql-18.4.0'])
  expect(fs.existsSync(join(place, 'bin/postgres'))).toBe(true)
  expect(placeBinaries(home, binaries)).toBe(place)
})

test('a machine without binaries gets an error that says what to do', () => {
  expect(() => findPackage('win32-x64')).toThrow(
    'There is no embedded PostgreSQL for win32-x64: set DATABASE_URL.',
  )
  const other = process.platform === 'linux' ? 'darwin-x64' : 'linux-x64'
  expect(() => findPackage(other)).toThrow(
    `The PostgreSQL binaries for ${other} are not installed: run npm ci --include=optional, or set DATABASE_URL.`,
  )
})

function fakePackage(): string {
  const native = join(newHome(), 'native')
  for (const dir of ['bin', 'lib']) fs.mkdirSync(join(native, dir), { recursive: true })
  for (const file of ['bin/postgres', 'lib/libpq.so.5.18', 'lib/libpq.a'])
    fs.writeFileSync(join(native, file), '')
  fs.chmodSync(join(native, 'bin/postgres'), 0o755)
  const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }
  fs.writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify([link]))
  return native
}

const inode = (...path: string[]) => fs.statSync(join(...path)).ino
