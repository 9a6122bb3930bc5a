import { describe, expect, test } from 'vitest'
// @ts-expect-error: the script is plain JavaScript, so that any Node can run it
import { findMissing } from './install.mjs'

type Entry = { version?: string; dev?: true; optional?: true; devOptional?: true; link?: true } & Partial<
  Record<'os' | 'cpu' | 'libc', string | string[]>
>
type Packages = Record<string, Entry>

const linux = { os: 'linux', cpu: 'x64', libc: 'glibc' }
const alpine = { ...linux, libc: 'musl' }
const mac = { os: 'darwin', cpu: 'arm64', libc: undefined }

function missing(wanted: Entry, installed: Packages = {}, options: object = {}): string[] {
  return findMissing({
    wanted: { '': { version: '0.1.0' }, 'node_modules/a': wanted },
    installed,
    machine: linux,
    production: false,
    exists: () => true,
    ...options,
  })
}
const a = ['node_modules/a']
const has = (version: string) => ({ 'node_modules/a': { version } })
const production = { production: true }

describe('a package is missing', () => {
  test.each<[string, Entry, Packages?, object?]>([
    ['when it is not installed', { version: '1.0.0' }],
    ['when another version is installed', { version: '1.0.0' }, has('1.0.1')],
    ['when its folder does not exist', { version: '1.0.0' }, has('1.0.0'), { exists: () => false }],
    ['when only development needs it and development packages are wanted', { version: '1.0.0', dev: true }],
    [
      'when it is optional and made for this machine',
      { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
    ],
    [
      'when it names its system without a list',
      { version: '1.0.0', optional: true, os: 'linux', cpu: 'x64' },
    ],
    ['when it is for all systems except another one', { version: '1.0.0', optional: true, os: ['!win32'] }],
    ['when it is for this C library', { version: '1.0.0', optional: true, libc: ['glibc'] }],
    [
      'when development needs it and production may use it',
      { version: '1.0.0', devOptional: true, os: ['linux'] },
      {},
      production,
    ],
    [
      'when it is optional, names no machine, and is installed in another version',
      { version: '1.0.0', optional: true },
      has('0.9.0'),
    ],
    ['when it is a workspace that is not linked', { link: true }, {}, { exists: () => false }],
  ])('a package counts as missing %s', (_, wanted, installed, options) => {
    expect(missing(wanted, installed, options)).toEqual(a)
  })
})

describe('nothing is missing', () => {
  test.each<[string, Entry, Packages?, object?]>([
    ['when it is installed', { version: '1.0.0' }, has('1.0.0')],
    [
      'when only development needs it and production is wanted',
      { version: '1.0.0', dev: true },
      {},
      production,
    ],
    ['when it is for another system', { version: '1.0.0', optional: true, os: ['darwin'] }],
    ['when it is for another processor', { version: '1.0.0', optional: true, os: ['linux'], cpu: ['arm64'] }],
    ['when it is for all systems except this one', { version: '1.0.0', optional: true, os: ['!linux'] }],
    [
      'when it is for another C library',
      { version: '1.0.0', optional: true, libc: ['glibc'] },
      {},
      { machine: alpine },
    ],
    [
      'when it is for a C library and the system has no such library',
      { version: '1.0.0', optional: true, os: ['linux'], libc: ['glibc'] },
      {},
      { machine: mac },
    ],
    ['when it is optional, names no machine and was left out', { version: '1.0.0', optional: true }],
    ['when it is a workspace that is linked', { link: true }, { 'node_modules/a': { link: true } }],
  ])('a package does not count as missing %s', (_, wanted, installed, options) => {
    expect(missing(wanted, installed, options)).toEqual([])
  })
})

test('the installer skips the project itself and its workspaces', () => {
  const wanted = { '': { version: '0.1.0' }, sdk: { version: '0.1.0' } }
  expect(
    findMissing({ wanted, installed: {}, machine: linux, production: false, exists: () => false }),
  ).toEqual([])
})

test('a package nested below another package is looked for in the folder of that other package', () => {
  const wanted = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b/node_modules/a': { version: '2.0.0' },
  }
  expect(
    findMissing({ wanted, installed: has('1.0.0'), machine: linux, production: false, exists: () => true }),
  ).toEqual(['node_modules/b/node_modules/a'])
})
